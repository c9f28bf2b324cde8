// Whether noise is larger at some positions than at those before them, and from which position on.
#pragma once
#include <cmath>
#include <vector>

#include "compare/cluster_means.h"
#include "compare/position_sums.h"
#include "stats/change_point.h"

namespace vaa {

// The scale of the noise that expectations rest on.
struct PositionScale {
  double sigma = std::nan(""), log_error = std::nan("");
  bool self = false;     // of the reference against itself; false: of these pairs, over all positions
};

// Buckets of fewer questions are shown and not called; nor are those of fewer than kLeastTokens, whose means are held against each other, or, by flips alone, of fewer than 5 flips both seen and expected at the margin.
constexpr int64_t kLeastCalled = 5, kLeastTokens = 100;

struct BucketCall {
  size_t bucket = 0;
  PositionCell sum;
  int64_t questions = 0;
  double design = 1;           // variance of the flips over that of independent ones, at least 1
  double z = 0, p = 1, adjusted = 1;  // of the flips at PositionScale::sigma: (O - E) / sqrt(W), p by it or by Poisson's tail where W < 5, Holm's over the buckets
  ClusterMean change, kl;      // mean |change of the gap| and KL bound
  Effect ratio;                // log of its noise over that of the positions before it (of the first bucket: after it); not known: not called
  bool by_size = false;        // the ratio is that of mean |change of the gap|; else of the sigmas that the flips show
  double p_beyond = 1;         // of "no more than the margin", before Holm
};
struct PositionDrift {
  PositionScale scale;
  std::vector<BucketCall> buckets;   // that have positions, rising
  int64_t lowest = -1, highest = -1; // positions
  int64_t pairs = 0, left_out = 0;
  double p_beyond = 1;         // the smallest of the buckets, by Holm
  size_t worst = 0;            // index of the bucket that speaks: the smallest p_beyond, then the largest ratio
  bool called = false;         // a bucket has a ratio
};
// `margin`: of the ratio. `noise` may be nullptr.
PositionDrift position_drift(const TokenEvidence& evidence, const NoiseProfile* noise, double margin);

// The step of log(|change of the gap| + its median); not found where not both sides have lists: flips are too rare to place it. Bins of width 1 as long as the range is below 2^20.
struct Onset {
  stats::ChangePoint point;
  bool grows = false;          // a line over log2 of the position leaves less than the step
  double design = 1;
};
Onset drift_onset(const TokenEvidence& evidence);

// Of Spearman's correlation of |change of the gap| with the position within each question: their mean, by Student's law. Questions of at least 10 tokens.
Effect growth_within(const TokenEvidence& evidence);

// P(at least `observed`) of a count whose mean is known with this variance only: Poisson's tail over a gamma, which is the negative binomial one.
double count_tail(int64_t observed, double mean, double variance_of_mean);

}  // namespace vaa
