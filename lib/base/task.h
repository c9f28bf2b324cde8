// Cancel and progress of one call; any thread may use it.
#pragma once
#include <atomic>
#include <cstdint>

#include "base/failure.h"

namespace vaa {

class Task {
 public:
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  // Call at least every 50 ms of work.
  void check() const {
    if (cancelled()) fail(VAA_ERROR_CANCELLED, "cancelled");
  }
  std::atomic<int64_t> done{0};     // bytes of input
  std::atomic<int64_t> total{0};    // 0: not known
  std::atomic<int64_t> samples{0};
  std::atomic<int64_t> failed{0};   // of these samples

 private:
  std::atomic<bool> cancelled_{false};
};

}  // namespace vaa
