// Means of scores and their standard errors. The same bits in any order of the values. A value that is NaN or infinite, or above 1e140 in size, is a Failure
// (VAA_ERROR_ARGUMENT). Standard errors have the divisor n - 1 and are NaN for fewer than two values.
#pragma once
#include <cstdint>
#include <span>

#include "stats/intervals.h"

namespace vaa::stats {

struct Mean {
  int64_t n = 0;
  double mean = 0;            // NaN for n = 0
  double standard_error = 0;  // NaN where it cannot be known
};

// Of independent values.
Mean mean_of(std::span<const double> values);
// The root of the mean square, and its standard error by the delta method: that of the mean square, over twice the root. NaN for none.
Mean root_mean_square(std::span<const double> values);
// Of k hits in n: the same as of k ones and n - k zeros.
Mean mean_of_hits(int64_t k, int64_t n);
// Of values that come in clusters, such as repeats of a question or questions on one text; clusters[i] is the cluster of values[i], any numbers. The squared
// standard error is that of independent values and the sum over pairs in one cluster of (s_i - m)(s_j - m) / n^2; below 0 it counts as 0 (Miller,
// "Adding error bars to evals", 2024). Cost n log n.
Mean mean_clustered(std::span<const double> values, std::span<const int64_t> clusters);
// The plain mean of the means of independent subjects, whatever their sizes; n is the number of subjects. The standard error is the root of the sum of
// their squared ones, over that number.
Mean mean_of_subjects(std::span<const Mean> subjects);

// Scores of the same items, reference and target: t test on the differences target - reference.
struct PairedMean {
  Mean difference;
  double correlation = 0;  // of the two; NaN where one does not vary
  double t = 0;            // NaN for a standard error of NaN; infinite for one of 0 and a difference
  double df = 0;           // n - 1
  double p_t = 1;          // two-sided
  double p_z = 1;          // two-sided, by the normal distribution
  Interval interval;       // by t
};
PairedMean paired_mean(std::span<const double> reference, std::span<const double> target, double confidence = 0.95);
// The same standard error with clusters.
Mean paired_mean_clustered(std::span<const double> reference, std::span<const double> target, std::span<const int64_t> clusters);

// Two one-sided t tests: equivalent within ±margin where p is small (Schuirmann 1987). For at least two differences.
struct Equivalence {
  Mean difference;
  double p_lower = 1;  // against "the mean is -margin or less"
  double p_upper = 1;  // against "the mean is margin or more"
  double p = 1;        // the larger one
  Interval interval;   // of 90 %: equivalent at 5 % where it lies inside ±margin
};
Equivalence equivalence(std::span<const double> differences, double margin);

}  // namespace vaa::stats
