// What may be asked again, and when.
#pragma once
#include <cstdint>
#include <string>

#include "capture/transport.h"

namespace vaa::capture {

struct RetryRules {
  int retries = 4;
  double max_wait_s = 60;       // longest wait before one, Retry-After included
};

// True where the answer says nothing of the question: no connection, or one that was lost before the first byte; 408, 429, 502, 503, 504. A request whose answer had begun is asked once.
bool may_ask_again(const HttpEnd& end);

struct Retry {
  bool again = false;
  double wait_s = 0;
  std::string why_not;          // where it might be asked again, and is not: "given up after 5 tries"
};
// After the `tries`-th try (from 1). The wait is what Retry-After says and, drawn from [0, 0.5·2^tries) seconds, what keeps requests that failed together from coming back together; the draw
// depends on `place` and `tries` alone.
Retry next_try(const HttpEnd& end, int tries, const RetryRules& rules, uint64_t place);

// When requests may begin: `rate` a second, evenly. A start that came late is made up for, a pause is not.
class Pace {
 public:
  explicit Pace(double rate) : step_s_(rate > 0 ? 1 / rate : 0) {}
  double free_at() const { return free_s_; }  // steady_s
  void take(double now) { free_s_ = (now - free_s_ < kLateS ? free_s_ : now) + step_s_; }

 private:
  static constexpr double kLateS = 0.02;
  double step_s_, free_s_ = 0;
};

}  // namespace vaa::capture
