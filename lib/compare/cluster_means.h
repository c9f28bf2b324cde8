// Means over tokens whose errors know that tokens of one question are no independent samples.
#pragma once
#include <cmath>
#include <cstdint>
#include <span>

#include "compare/log_ratio.h"
#include "compare/paired_effect.h"

namespace vaa {

struct ClusterSum {
  double n = 0, sum = 0;  // tokens of a question, and the sum over them
};
struct ClusterMean {
  double mean = std::nan(""), error = std::nan("");  // error: NaN for fewer than two questions
  double tokens = 0;
  int64_t clusters = 0;
};
// Sum of sums over sum of n. The error is that of a ratio: sqrt(C / (C - 1) sum of (sum_c - mean n_c)^2) / sum of n, for C questions that have tokens (Cochran, "Sampling techniques", 1977, 6.13).
ClusterMean mean_of_clusters(std::span<const ClusterSum> clusters);

// The mean itself, and target less reference of two runs that are independent: Student's law with C - 1 degrees of freedom, or those of Welch and Satterthwaite. Not known for fewer than two questions.
Effect effect_of_mean(const ClusterMean& mean);
Effect difference_of(const ClusterMean& reference, const ClusterMean& target);
// Log of target over reference; not known where a mean is not above 0.
Effect ratio_of(const ClusterMean& reference, const ClusterMean& target);

// Log of the mean of `second` over that of `first`, where element c of both is the same question: its error is that of the linearised ratio, so what a question has in common on both cancels.
// Both spans have one length; questions without tokens have n = 0.
Effect paired_ratio(std::span<const ClusterSum> first, std::span<const ClusterSum> second);

}  // namespace vaa
