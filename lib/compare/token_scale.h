// The scale of the noise that turns one token into another: estimated from near ties, with an error that knows that tokens of one question are no independent samples.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "compare/paired_effect.h"
#include "compare/token_evidence.h"
#include "stats/flip_test.h"

namespace vaa {

// Of greedy free pairs and rungs, by stats::flip_sigma on the reference's gaps.
struct TokenScale {
  double sigma = std::nan("");   // nats; NaN: no gaps; 0: no gap above 0 flipped; infinity: flips are as common at large gaps as at small ones
  double error = std::nan("");   // standard error of log sigma: the larger one of the likelihood's and the jackknife's over questions; NaN where sigma is NaN, 0 or infinite
  stats::Interval sure{0, std::numeric_limits<double>::infinity()};  // 99.9 %, by likelihood ratio: what few flips leave
  int64_t tokens = 0, flips = 0;  // positions with a gap, and those of a gap above 0 that flipped
  int64_t questions = 0;          // that have such positions: the clusters
};
TokenScale token_scale(const TokenEvidence& evidence);
// The flips that a sigma above 0 leads one to expect among the same positions, with ties.
stats::HazardTest flips_expected(const TokenEvidence& evidence, double sigma);

// Log of target sigma over reference sigma. With kFewFlips or more on both sides by the two errors and Student's law; with fewer the reference's sure interval stands for its sigma, which is
// on the safe side. Not known where a side has no gaps.
constexpr int64_t kFewFlips = 10;
Effect scale_ratio(const TokenScale& reference, const TokenScale& target);

// Whose first divergences: of greedy answers, or of sampled ones with the same numbers drawn.
enum class Draws : uint8_t { kGreedy, kKeyed };

// First divergences of free pairs, as survival.h has them: one at index d is an event at start + d + 1, an answer that ends as its partner goes on is censored. Pairs without a compared token
// are left out. A start that is not recorded counts as 0.
struct Divergences {
  std::vector<double> entries, exits;
  std::vector<uint8_t> events;
  std::vector<int32_t> questions;  // the cluster of each
};
Divergences divergences_of(const TokenEvidence& evidence, Draws draws);

// Log of the target's hazard over the reference's, each its divergences by its compared tokens, with the jackknife over questions. A hazard grows in proportion to sigma as long as gaps near 0 are
// spread evenly (h = sum of P(N > gap / sigma)), so margins of sigma hold it; ties and questions of unlike hazard draw it towards 1.
Effect hazard_ratio(const Divergences& reference, const Divergences& target);

}  // namespace vaa
