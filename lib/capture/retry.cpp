#include "capture/retry.h"

#include <algorithm>
#include <cmath>

#include "base/json_writer.h"
#include "base/random.h"

namespace vaa::capture {
namespace {

using Kind = HttpEnd::Kind;

constexpr double kFirstWaitS = 0.5;
constexpr int kAgain[] = {408, 429, 502, 503, 504};

std::string in_seconds(double seconds) {
  std::string text;
  append_number(&text, seconds);
  return text + " s";
}

}  // namespace

bool may_ask_again(const HttpEnd& end) {
  if (end.status != 0) return std::find(std::begin(kAgain), std::end(kAgain), end.status) != std::end(kAgain);
  if (end.began) return false;
  if (end.kind == Kind::kTimeout) return !end.sent;  // of the connection, not of the answer
  return end.kind == Kind::kRefused || end.kind == Kind::kName || end.kind == Kind::kLost;
}

Retry next_try(const HttpEnd& end, int tries, const RetryRules& rules, uint64_t place) {
  Retry retry;
  if (!may_ask_again(end)) return retry;
  if (tries > rules.retries) {
    if (rules.retries > 0) retry.why_not = "given up after " + std::to_string(tries) + " tries";
    return retry;
  }
  const double told = std::max(0.0, end.retry_after_s);
  if (told > rules.max_wait_s) {
    retry.why_not = "not asked again: the server says Retry-After " + in_seconds(told) + ", max_retry_wait_s is " + in_seconds(rules.max_wait_s);
    return retry;
  }
  const double apart = Random(place, static_cast<uint64_t>(tries)).uniform() * kFirstWaitS * std::ldexp(1.0, std::min(tries, 30));
  retry.again = true;
  retry.wait_s = std::min(rules.max_wait_s, told + apart);
  return retry;
}

}  // namespace vaa::capture
