#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/task.h"

namespace vaa {
namespace {

// Threads that are joined when the scope ends.
class Crew {
 public:
  ~Crew() { join(); }
  // body(1) … body(count), each on a thread of its own, as far as the system gives them and below kMaxThreads.
  template <class Body>
  void start(int count, const Body& body) {
    for (int i = 1; i <= std::min(count, kMaxThreads - 1); ++i) {
      if (caught([&] { threads_.emplace_back(body, i); })) break;
    }
  }
  void join() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }
  bool empty() const { return threads_.empty(); }

 private:
  std::vector<std::thread> threads_;
};

// Keeps the exception of the lowest index.
class LowestError {
 public:
  explicit LowestError(int64_t count) : limit_(count) {}
  // The indices from here on need not run.
  int64_t limit() const { return limit_.load(std::memory_order_relaxed); }
  void set(int64_t index, std::exception_ptr error) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (index >= limit_) return;
    limit_ = index;
    error_ = std::move(error);
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::atomic<int64_t> limit_;
  std::exception_ptr error_;
};

// One run. Batch k lies in slot k % slots: batches are consumed in order, so they become free in order. Every thread takes what there is to do; only the
// calling one consumes, and it leaves producing, which may block, to the others where there are any.
class Pipeline {
 public:
  Pipeline(size_t slots, const PipelineStages& stages, const Task* task) : stages_(stages), task_(task), slots_(slots) {}

  void run(int threads) {
    Crew crew;
    crew.start(threads - 1, [this](int worker) { loop(worker, true); });
    const std::exception_ptr error = caught([&] { loop(0, crew.empty()); });
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    crew.join();
    if (error) std::rethrow_exception(error);
  }

 private:
  struct Slot {
    bool ready = false;  // to be consumed: worked on, or failed
    std::exception_ptr error;
  };
  using Lock = std::unique_lock<std::mutex>;
  Slot& slot(int64_t batch) { return slots_[place(batch)]; }
  size_t place(int64_t batch) const { return static_cast<size_t>(batch) % slots_.size(); }

  void loop(int worker, bool may_produce) {
    Lock lock(mutex_);
    while (!stop_) {
      if (worker == 0) {
        if (task_ != nullptr) task_->check();
        if (ended_ && !producing_ && consumed_ == produced_) return;
        if (consumed_ < produced_ && slot(consumed_).ready) {
          consume(lock);
          continue;
        }
      }
      if (may_produce && !producing_ && !ended_ && produced_ - consumed_ < static_cast<int64_t>(slots_.size())) {
        produce(lock);
      } else if (claimed_ < produced_) {
        work(lock, worker);
      } else if (worker == 0 && task_ != nullptr) {
        changed_.wait_for(lock, std::chrono::milliseconds(20));
      } else {
        changed_.wait(lock);
      }
    }
  }

  void consume(Lock& lock) {
    Slot& mine = slot(consumed_);
    lock.unlock();
    if (mine.error) std::rethrow_exception(mine.error);
    stages_.consume(place(consumed_));  // consumed_ is written by this thread only
    lock.lock();
    mine.ready = false;
    ++consumed_;
    changed_.notify_all();
  }

  void produce(Lock& lock) {
    const int64_t batch = produced_;
    producing_ = true;
    lock.unlock();
    bool more = false;
    std::exception_ptr error = caught([&] { more = stages_.produce(place(batch)); });
    lock.lock();
    producing_ = false;
    if (error || more) ++produced_;
    if (error || !more) ended_ = true;
    if (error) slot(batch) = {true, std::move(error)};
    changed_.notify_all();
  }

  void work(Lock& lock, int worker) {
    const int64_t batch = claimed_++;
    if (slot(batch).ready) return;  // it could not be produced
    lock.unlock();
    std::exception_ptr error = caught([&] { stages_.work(place(batch), worker); });
    lock.lock();
    if (error) ended_ = true;
    slot(batch) = {true, std::move(error)};
    changed_.notify_all();
  }

  const PipelineStages& stages_;
  const Task* task_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Slot> slots_;
  int64_t produced_ = 0, claimed_ = 0, consumed_ = 0;  // batches so far
  bool producing_ = false, ended_ = false, stop_ = false;
};

}  // namespace

void parallel_for(int threads, int64_t count, const std::function<void(int64_t)>& fn, const Task* task) {
  const auto run_one = [&](int64_t i) {
    if (task != nullptr) task->check();
    fn(i);
  };
  if (threads <= 1 || count <= 1) {
    for (int64_t i = 0; i < count; ++i) run_one(i);
    return;
  }
  LowestError error(count);
  std::atomic<int64_t> next{0};
  const auto loop = [&](int) {
    while (next.load(std::memory_order_relaxed) < error.limit()) {
      const int64_t i = next.fetch_add(1, std::memory_order_relaxed);
      if (i >= error.limit()) return;
      if (std::exception_ptr thrown = caught([&] { run_one(i); })) error.set(i, std::move(thrown));
    }
  };
  {
    Crew crew;
    crew.start(static_cast<int>(std::min<int64_t>(threads, count)) - 1, loop);
    loop(0);
  }
  error.rethrow();
}

void run_pipeline(int threads, size_t slots, const PipelineStages& stages, const Task* task) {
  if (threads > 1) {
    Pipeline(slots, stages, task).run(threads);
    return;
  }
  for (;;) {
    if (task != nullptr) task->check();
    if (!stages.produce(0)) return;
    stages.work(0, 0);
    stages.consume(0);
  }
}

}  // namespace vaa
