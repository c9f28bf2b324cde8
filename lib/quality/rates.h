// The statistics of a run's rates, as its checks use them.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace vaa {

constexpr double kLevel = 0.05;  // of tests and of two-sided intervals
// A rate fails a run when its one-sided Clopper-Pearson limit at 1 - fail_level is above the ceiling (docs/verdict.md, with the powers). Healthy engines do
// reach the ceilings of loops, empty and open answers, and 95 % would fail one such run in twenty: 99.5 % there. The ceilings of 0.1 % stand for damage that has
// no healthy rate: 95 %.
constexpr double fail_level(double ceiling) { return ceiling <= 0.001 ? 0.05 : 0.005; }

struct Interval {
  double lower = 0, upper = 0;
};
Interval wilson_interval(int64_t k, int64_t n);           // 95 %
double lower_limit(int64_t k, int64_t n, double level);   // one-sided, Clopper-Pearson; 0 for k = 0
double upper_limit(int64_t k, int64_t n, double level);   // 1 for k = n
double binomial_tail(int64_t k, int64_t n, double rate);  // P(X >= k)
// The fewest of n whose lower limit is above the ceiling; n + 1: none is.
int64_t fewest_that_fail(int64_t n, double ceiling);
// The smallest rate that fails n samples in 95 % of runs; 1 where none does.
double detectable_rate(int64_t n, double ceiling);
// Clean samples in a row that exclude a rate at 95 %.
int64_t clean_to_exclude(double rate);

// One-sided p of "the first rate is larger".
double fisher_more(int64_t k1, int64_t n1, int64_t k2, int64_t n2);
double mcnemar_more(int64_t only_first, int64_t only_second);
// 95 % interval of the first rate less the second (Newcombe).
Interval difference_interval(int64_t k1, int64_t n1, int64_t k2, int64_t n2);
Interval paired_difference_interval(int64_t both, int64_t only_first, int64_t only_second, int64_t neither);
std::vector<double> holm_adjusted(std::span<const double> p);

}  // namespace vaa
