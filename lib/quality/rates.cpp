#include "quality/rates.h"

#include "stats/distributions.h"
#include "stats/exact_tests.h"
#include "stats/intervals.h"
#include "stats/multiplicity.h"
#include "stats/power.h"

namespace vaa {

Interval wilson_interval(int64_t k, int64_t n) {
  const stats::Interval i = stats::wilson(k, n, 1 - kLevel);
  return {i.low, i.high};
}
double lower_limit(int64_t k, int64_t n, double level) { return stats::rate_lower_limit(k, n, 1 - level); }
double upper_limit(int64_t k, int64_t n, double level) { return stats::rate_upper_limit(k, n, 1 - level); }
double binomial_tail(int64_t k, int64_t n, double rate) { return stats::binomial_at_least(k, n, rate); }

// The lower limit of k is above a rate exactly where P(X >= k) at that rate is below the level, and that falls with k.
int64_t fewest_that_fail(int64_t n, double ceiling) {
  if (ceiling >= 1) return n + 1;
  int64_t low = 0, high = n + 1;
  while (low + 1 < high) {
    const int64_t middle = low + (high - low) / 2;
    (binomial_tail(middle, n, ceiling) < fail_level(ceiling) ? high : low) = middle;
  }
  return high;
}

double detectable_rate(int64_t n, double ceiling) {
  const int64_t fewest = fewest_that_fail(n, ceiling);
  return fewest > n ? 1 : upper_limit(fewest - 1, n, kLevel);
}

int64_t clean_to_exclude(double rate) { return rate >= 1 ? 1 : stats::clean_runs_needed(rate, kLevel); }

double fisher_more(int64_t k1, int64_t n1, int64_t k2, int64_t n2) { return stats::fisher_exact_greater(k1, n1 - k1, k2, n2 - k2); }
double mcnemar_more(int64_t only_first, int64_t only_second) { return stats::mcnemar_exact_greater(only_first, only_second); }

Interval difference_interval(int64_t k1, int64_t n1, int64_t k2, int64_t n2) {
  const stats::Interval i = stats::rate_difference(k1, n1, k2, n2, 1 - kLevel);
  return {i.low, i.high};
}
Interval paired_difference_interval(int64_t both, int64_t only_first, int64_t only_second, int64_t neither) {
  const stats::Interval i = stats::paired_difference(both, only_first, only_second, neither, 1 - kLevel).interval;
  return {i.low, i.high};
}

std::vector<double> holm_adjusted(std::span<const double> p) { return stats::holm(p); }

}  // namespace vaa
