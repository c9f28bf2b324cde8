// Work on several threads with the result of one: which exception comes back, and the order of what is consumed, do not depend on how many. Threads live
// within a call, so a process may fork after it. Where the system refuses a thread, the call goes on with those it has.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

namespace vaa {

class Task;

constexpr int kMaxThreads = 1024;

// What fn() throws, or null.
template <class Fn>
std::exception_ptr caught(Fn&& fn) noexcept {
  try {
    fn();
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

// fn(i) for every i in [0, count), in no order, on up to `threads` threads, the calling one among them; 1 or less: in order on the calling one alone.
// Throws what the lowest throwing i threw; every i below that has run, some above may have. Stops with VAA_ERROR_CANCELLED between two calls of fn.
void parallel_for(int threads, int64_t count, const std::function<void(int64_t)>& fn, const Task* task = nullptr);

// The stages of a pipeline by the slot of their batch; OrderedPipeline is the form to use.
struct PipelineStages {
  std::function<bool(size_t slot)> produce;
  std::function<void(size_t slot, int worker)> work;
  std::function<void(size_t slot)> consume;
};
void run_pipeline(int threads, size_t slots, const PipelineStages& stages, const Task* task);

// Batches go through three stages:
//   bool produce(Batch&)            fills one; false: there is no more, and this batch is dropped. One call at a time, in order; the thread may change.
//   void work(Batch&, int worker)   on any thread; worker is in [0, workers()), and no two calls at once have the same one, so scratch can be kept by it.
//   void consume(Batch&)            on the calling thread, in the order of production.
// A batch is recycled with what it holds once it has been consumed; at most batches() are in flight. An exception comes back when the batches before its
// batch have been consumed, as in a loop on one thread; later batches are dropped. With one thread all runs on the calling one.
template <class Batch>
class OrderedPipeline {
 public:
  // batches 0: enough to keep the threads busy.
  explicit OrderedPipeline(int threads, size_t batches = 0)
      : threads_(std::clamp(threads, 1, kMaxThreads)), batches_(threads_ == 1 ? 1 : batches != 0 ? batches : 2 * static_cast<size_t>(threads_)) {}

  int workers() const { return threads_; }
  size_t batches() const { return batches_.size(); }

  // Throws what a stage threw, or VAA_ERROR_CANCELLED, for which the task (may be null) is asked between batches and every 20 ms of waiting.
  template <class Produce, class Work, class Consume>
  void run(Produce&& produce, Work&& work, Consume&& consume, const Task* task = nullptr) {
    run_pipeline(threads_, batches_.size(),
                 {[&](size_t slot) -> bool { return produce(batches_[slot]); }, [&](size_t slot, int worker) { work(batches_[slot], worker); },
                  [&](size_t slot) { consume(batches_[slot]); }},
                 task);
  }

 private:
  int threads_;
  std::vector<Batch> batches_;
};

}  // namespace vaa
