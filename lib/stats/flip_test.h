// Divergences against a model of benign noise: in discrete time every token at risk has a hazard h, its chance to flip if all is well. E = sum h and
// W = sum h (1 - h) are mean and variance of the number of flips; the tempting E = sum -log(1 - h) is too large where single hazards are near 1/2 (near ties).
// What is out of range is a Failure (VAA_ERROR_ARGUMENT). The same bits in any order of the tokens.
#pragma once
#include <cstdint>
#include <span>

#include "stats/intervals.h"

namespace vaa::stats {

struct HazardTest {
  double expected = 0;   // E
  double variance = 0;   // W
  double z = 0;          // (observed - E) / sqrt(W); for W = 0: 0 or infinite
  double p_upper = 0.5;  // P(Z >= z): more flips than benign
  double p_two_sided = 1;
};
// `observed` flips among tokens with these hazards, each in [0, 1].
HazardTest hazard_test(std::span<const double> hazards, int64_t observed);

// Token i had `gaps[i]`, the reference's logprob of its own token less that of its second one, in nats, at least 0; flips[i] is 1 where the other side chose
// otherwise, 0 where it agreed. Noise of scale sigma > 0 on the gap flips it with the chance h = P(N(0, 1) > gap / sigma).
HazardTest flip_test(std::span<const double> gaps, std::span<const uint8_t> flips, double sigma);

// The log-likelihood of the flips: the sum of log h over the flips and of log(1 - h) over the rest.
double flip_log_likelihood(std::span<const double> gaps, std::span<const uint8_t> flips, double sigma);

// The sigma under which the flips are likeliest, and those that a likelihood ratio test of this confidence does not reject. 0 where no gap above 0 flipped;
// infinity where flips do not get rarer with the gap; NaN where all gaps are 0. A gap below 1e-30 counts as 0.
struct NoiseScale {
  double sigma = 0;
  double log_likelihood = 0;
  Interval interval;
};
NoiseScale flip_sigma(std::span<const double> gaps, std::span<const uint8_t> flips, double confidence = 0.95);

// Twice the log-likelihood that sigma lacks, chi-squared with one degree of freedom if sigma is right.
struct SigmaTest {
  double log_likelihood = 0;
  double most = 0;  // at the likeliest sigma
  double chi2 = 0;
  double p = 1;
};
SigmaTest flip_sigma_test(std::span<const double> gaps, std::span<const uint8_t> flips, double sigma);

// How the log-likelihood changes with log sigma: its slope, and minus its curvature, which summed over all tokens is the information about log sigma. Of a group of tokens: its share of both.
struct SigmaScore {
  double slope = 0;
  double information = 0;
};
SigmaScore flip_sigma_score(std::span<const double> gaps, std::span<const uint8_t> flips, double sigma);

}  // namespace vaa::stats
