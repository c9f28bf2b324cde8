// Do counts follow a law?
#pragma once
#include <cstdint>
#include <span>

namespace vaa::stats {

// Pearson's test (1900) of counts by class against the probability of each. What is out of range is a Failure (VAA_ERROR_ARGUMENT), a law that does not add to 1 within 1e-9 too.
struct Goodness {
  double chi2 = 0;     // sum of (observed - expected)^2 / expected; infinite where a class of probability 0 was met
  int64_t freedom = 0;  // classes of some probability, less one
  double p = 1;        // of as much or more, by chi-squared: trust it from 5 expected a class on
};
Goodness pearson(std::span<const int64_t> observed, std::span<const double> probs);

}  // namespace vaa::stats
