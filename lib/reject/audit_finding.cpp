#include "reject/audit_finding.h"

#include "base/figures.h"

namespace vaa {

Both said_count(double n, const char* en_plural, const char* zh) {
  const int64_t whole = static_cast<int64_t>(std::min(std::round(n), 9e15));
  return {counted(whole, en_plural), grouped(whole) + " " + zh};
}

Both said_rate(double rate, double lower, double upper) {
  return {percent(rate) + " (" + percent_range(lower, upper) + ")", percent(rate, true) + "（" + percent_range(lower, upper, true) + "）"};
}

}  // namespace vaa
