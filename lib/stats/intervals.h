// Intervals for rates and for differences of rates. Confidence is two-sided unless said: 0.95 leaves 0.025 on each side. What is out of range is a
// Failure (VAA_ERROR_ARGUMENT).
#pragma once
#include <cstdint>

namespace vaa::stats {

struct Interval {
  double low = 0;
  double high = 1;
};

// k of n, to show (Wilson 1927). n = 0: [0, 1], here and below.
Interval wilson(int64_t k, int64_t n, double confidence = 0.95);
// k of n, to guarantee: the exact interval (Clopper and Pearson 1934).
Interval clopper_pearson(int64_t k, int64_t n, double confidence = 0.95);
// Its one-sided forms: the rate is above the lower limit, or below the upper one, with this confidence.
double rate_lower_limit(int64_t k, int64_t n, double confidence = 0.95);
double rate_upper_limit(int64_t k, int64_t n, double confidence = 0.95);
// The mean of a Poisson count of k, exact (Garwood 1936).
Interval poisson_mean(int64_t k, double confidence = 0.95);
// 3 / n: the upper limit of 95 % after n clean runs, roughly.
double rule_of_three(int64_t n);

// k1 / n1 - k2 / n2 of two independent groups (Newcombe 1998, "Interval estimation for the difference between independent proportions", method 10).
Interval rate_difference(int64_t k1, int64_t n1, int64_t k2, int64_t n2, double confidence = 0.95);

// The same items answered twice: a right both times, b only the first, c only the second, d never.
struct PairedDifference {
  double difference = 0;      // (b - c) / n, the first less the second
  Interval interval{-1, 1};   // Newcombe 1998, "Improved confidence intervals for the difference between binomial proportions based on paired data", method 10
  double phi = 0;             // its correlation of the two, corrected for continuity
  double standard_error = 0;  // of the n differences, with divisor n - 1; NaN for n < 2
  double flips = 0;           // (b + c) / n
};
PairedDifference paired_difference(int64_t a, int64_t b, int64_t c, int64_t d, double confidence = 0.95);

}  // namespace vaa::stats
