// Whether failures come one by one or in bursts.
#pragma once
#include <cstdint>
#include <span>

namespace vaa::stats {

// Failures counted by window of time, replica or batch of equal size: independent ones vary as Poisson's distribution does, whose variance is its mean; in
// bursts the variance is larger, and an interval from independent runs is too narrow by about sqrt(ratio). At least two counts; what is out of range is a
// Failure (VAA_ERROR_ARGUMENT).
struct Dispersion {
  double ratio = 1;  // variance, with divisor n - 1, over mean; NaN where nothing failed
  double p = 1;      // P(as much or more variance | independent): (n - 1) ratio against chi-squared with n - 1 degrees of freedom (Fisher 1925)
};
Dispersion dispersion(std::span<const int64_t> counts);

}  // namespace vaa::stats
