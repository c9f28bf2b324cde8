#include "base/parallel.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <thread>

#include "base/task.h"
#include "catch.h"

using vaa::Failure;
using vaa::OrderedPipeline;
using vaa::parallel_for;
using vaa::Task;

namespace {

[[noreturn]] void throw_at(int64_t i) { vaa::fail(VAA_ERROR_ARGUMENT, "at " + std::to_string(i)); }

// The message of the Failure that fn throws, or "".
template <class Fn>
std::string message_of(Fn&& fn) {
  try {
    fn();
  } catch (const Failure& failure) {
    return failure.message();
  }
  return "";
}

struct Batch {
  int64_t index = -1;
  std::vector<int64_t> values;
};

// What a run over `count` batches did: which were consumed, and the message it ended with. A stage throws where the table says so.
struct Outcome {
  std::vector<int64_t> consumed;
  std::string message;
  bool operator==(const Outcome& other) const { return consumed == other.consumed && message == other.message; }
};

Outcome run(int threads, int64_t count, const std::set<int64_t>& bad_produce, const std::set<int64_t>& bad_work, const std::set<int64_t>& bad_consume) {
  OrderedPipeline<Batch> pipeline(threads);
  std::vector<std::atomic<int>> busy(static_cast<size_t>(pipeline.workers()));
  std::atomic<int> producing{0};
  const std::thread::id caller = std::this_thread::get_id();
  int64_t next = 0;
  Outcome outcome;
  outcome.message = message_of([&] {
    pipeline.run(
        [&](Batch& batch) {
          if (++producing != 1) vaa::fail(VAA_ERROR_INTERNAL, "two calls of produce at once");
          const int64_t index = next++;
          --producing;
          if (bad_produce.count(index) != 0) throw_at(index);
          batch.index = index;
          batch.values.assign(10, index);
          return index < count;
        },
        [&](Batch& batch, int worker) {
          if (++busy[static_cast<size_t>(worker)] != 1) vaa::fail(VAA_ERROR_INTERNAL, "two calls with one worker");
          for (int64_t& value : batch.values) value += 1;
          --busy[static_cast<size_t>(worker)];
          if (bad_work.count(batch.index) != 0) throw_at(batch.index);
        },
        [&](Batch& batch) {
          if (std::this_thread::get_id() != caller) vaa::fail(VAA_ERROR_INTERNAL, "consumed on another thread");
          if (batch.values != std::vector<int64_t>(10, batch.index + 1)) vaa::fail(VAA_ERROR_INTERNAL, "not worked on");
          if (bad_consume.count(batch.index) != 0) throw_at(batch.index);
          outcome.consumed.push_back(batch.index);
        });
  });
  return outcome;
}

}  // namespace

TEST_CASE("parallel: every index runs once for any thread count", "[base][threads]") {
  for (const int threads : {-1, 0, 1, 2, 3, 8, 100}) {
    for (const int64_t count : {0, 1, 2, 5, 1000}) {
      std::vector<std::atomic<int>> runs(static_cast<size_t>(count));
      parallel_for(threads, count, [&](int64_t i) { ++runs[static_cast<size_t>(i)]; });
      for (const auto& n : runs) REQUIRE(n == 1);
    }
  }
}

TEST_CASE("parallel: one thread runs in order on the caller's own", "[base][threads]") {
  std::vector<int64_t> order;
  const std::thread::id caller = std::this_thread::get_id();
  parallel_for(1, 50, [&](int64_t i) {
    REQUIRE(std::this_thread::get_id() == caller);
    order.push_back(i);
  });
  for (int64_t i = 0; i < 50; ++i) REQUIRE(order[static_cast<size_t>(i)] == i);
}

TEST_CASE("parallel: the exception of the lowest index comes back", "[base][threads]") {
  for (int round = 0; round < 100; ++round) {
    for (const int threads : {1, 2, 4, 7}) {
      const int64_t first = round % 40;
      const std::string message = message_of([&] {
        parallel_for(threads, 200, [&](int64_t i) {
          if (i >= first && (i - first) % 3 == 0) throw_at(i);
        });
      });
      REQUIRE(message == "at " + std::to_string(first));
    }
  }
}

TEST_CASE("parallel: a cancelled task stops a loop and a pipeline", "[base][threads]") {
  Task task;
  task.cancel();
  for (const int threads : {1, 3}) {
    CHECK(message_of([&] { parallel_for(threads, 10, [](int64_t) {}, &task); }) == "cancelled");
    OrderedPipeline<Batch> pipeline(threads);
    CHECK(message_of([&] { pipeline.run([](Batch&) { return true; }, [](Batch&, int) {}, [](Batch&) {}, &task); }) == "cancelled");
  }
}

TEST_CASE("parallel: a pipeline without end is cancelled from another thread", "[base][threads]") {
  for (const int threads : {1, 2, 4}) {
    Task task;
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      task.cancel();
    });
    OrderedPipeline<Batch> pipeline(threads);
    int64_t consumed = 0;
    CHECK(message_of([&] { pipeline.run([](Batch&) { return true; }, [](Batch&, int) {}, [&](Batch&) { ++consumed; }, &task); }) == "cancelled");
    CHECK(consumed > 0);
    other.join();
  }
}

TEST_CASE("parallel: a pipeline consumes every batch in order for any thread count", "[base][threads]") {
  for (const int threads : {-3, 1, 2, 3, 5, 16}) {
    for (const int64_t count : {0, 1, 2, 3, 40, 500}) {
      const Outcome outcome = run(threads, count, {}, {}, {});
      REQUIRE(outcome.message.empty());
      REQUIRE(static_cast<int64_t>(outcome.consumed.size()) == count);
      for (int64_t i = 0; i < count; ++i) REQUIRE(outcome.consumed[static_cast<size_t>(i)] == i);
    }
  }
}

TEST_CASE("parallel: no more batches are in flight than were asked for, and they are recycled", "[base][threads]") {
  OrderedPipeline<Batch> pipeline(4, 3);
  CHECK(pipeline.batches() == 3);
  CHECK(pipeline.workers() == 4);
  std::atomic<int64_t> in_flight{0}, most{0};
  std::set<const Batch*> seen;
  int64_t left = 300;
  pipeline.run(
      [&](Batch&) {
        const int64_t now = ++in_flight;
        most = std::max<int64_t>(most, now);
        return left-- > 0;
      },
      [](Batch&, int) {},
      [&](Batch& batch) {
        seen.insert(&batch);
        --in_flight;
      });
  CHECK(most <= 3);
  CHECK(seen.size() <= 3);
}

TEST_CASE("parallel: whatever stage throws where, the outcome is that of one thread", "[base][threads]") {
  std::mt19937_64 random(7);
  const auto some = [&](int64_t count) {
    std::set<int64_t> set;
    for (uint64_t i = random() % 3; i > 0; --i) set.insert(static_cast<int64_t>(random() % static_cast<uint64_t>(count)));
    return set;
  };
  for (int round = 0; round < 300; ++round) {
    const int64_t count = 1 + static_cast<int64_t>(random() % 60);
    const std::set<int64_t> produce = some(count + 1), work = some(count), consume = some(count);
    const Outcome expected = run(1, count, produce, work, consume);
    for (const int threads : {2, 3, 6}) {
      const Outcome outcome = run(threads, count, produce, work, consume);
      REQUIRE(outcome == expected);
    }
  }
}

TEST_CASE("parallel: an exception that is no Failure comes back as it is", "[base][threads]") {
  for (const int threads : {1, 4}) {
    OrderedPipeline<Batch> pipeline(threads);
    const auto run_it = [&] { pipeline.run([](Batch&) { return true; }, [](Batch&, int) { throw 17; }, [](Batch&) {}); };
    CHECK_THROWS_AS(run_it(), int);
    CHECK_THROWS_AS(parallel_for(threads, 5, [](int64_t) { throw 17; }), int);
  }
}

TEST_CASE("parallel: a pipeline runs again after a failure", "[base][threads]") {
  OrderedPipeline<Batch> pipeline(3);
  for (int round = 0; round < 20; ++round) {
    int64_t left = 20, consumed = 0;
    const auto produce = [&](Batch&) { return left-- > 0; };
    const std::string message = message_of([&] {
      pipeline.run(produce, [&](Batch&, int) {}, [&](Batch&) {
        if (round % 2 == 0 && consumed == 7) throw_at(7);
        ++consumed;
      });
    });
    REQUIRE(message == (round % 2 == 0 ? "at 7" : ""));
    REQUIRE(consumed == (round % 2 == 0 ? 7 : 20));
  }
}
