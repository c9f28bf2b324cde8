// Whether one quantity grows with another, in whatever way: by their ranks.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace vaa::stats {

// The rank of each value from 1 on; equal ones share the mean of theirs. Cost n log n.
std::vector<double> average_ranks(std::span<const double> values);

// Spearman's correlation (1904): that of the ranks. Fewer than three pairs, or one side all equal: rho and t are NaN, p is 1. Values are finite; what is not
// is a Failure (VAA_ERROR_ARGUMENT).
struct RankCorrelation {
  double rho = 0;
  double t = 0;  // rho sqrt((n - 2) / (1 - rho^2)); infinite for ranks that agree or oppose altogether
  double p = 1;  // two-sided, by Student's t with n - 2 degrees of freedom
};
RankCorrelation spearman(std::span<const double> x, std::span<const double> y);

}  // namespace vaa::stats
