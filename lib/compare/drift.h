// How far two distributions are apart over positions where both had the same ids before them, summed by question.
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

#include "compare/cluster_means.h"
#include "compare/noise_profile.h"
#include "compare/token_evidence.h"

namespace vaa {

// Which positions. The first token of an answer that goes on by itself comes out of prefill, as all forced ones do; the others out of decode.
enum class DriftPart : uint8_t {
  kForced,   // of teacher-forced pairs
  kOwn,      // of answers and rungs that go on by themselves, up to and with the first divergence
  kPrefill,  // forced ones, and the first of every other pair
  kDecode,   // of kOwn, all but the first
};

// Sums over the positions of one question.
struct QuestionDrift {
  int64_t n = 0;          // with both logprobs of the reference's token
  double absolute = 0;    // |target less reference|, nats
  double dp_square = 0;   // (target's probability less reference's)^2
  double k3 = 0;          // exp(d) - 1 - d for d target less reference
  int64_t unlisted = 0;   // the reference's token has no logprob of the target
  int64_t lists = 0;      // with a KL bound
  double kl = 0, rest = 0;  // KL bounds, and the reference's probability that they cannot see
  int64_t choices = 0, other = 0;  // greedy positions with lists on both sides; where the target's first is another token
  int64_t gaps = 0;       // positions with the reference's gap
  double flat = 0;        // p (1 - p) over them, for the p of the first of the two likeliest: a change of the gap by x costs about p (1 - p) x^2 / 2 nats
};
struct Drift {
  std::vector<QuestionDrift> questions;  // that have positions
  int64_t pairs = 0, left_out = 0;       // pairs; those whose numbers cannot be used
  int64_t seen = 0, possible = 0;        // positions; those of both answers, had they never parted
  std::vector<float> kl;                 // of all positions, in their order
  bool any() const { return !questions.empty(); }
  ClusterMean mean_of(int64_t QuestionDrift::*n, double QuestionDrift::*sum) const;
  double total(double QuestionDrift::*of) const;
  int64_t count(int64_t QuestionDrift::*of) const;
};
Drift drift_of(const TokenEvidence& evidence, DriftPart part);

// The mean KL bound a position, nats, by question; of the reference against itself.
ClusterMean mean_kl(const Drift& drift);
ClusterMean mean_kl(const NoiseProfile& noise);

// Whether the reference against itself says how far its distributions drift: pairs of any kind, of which something differs.
bool drift_calibrates(const NoiseProfile* noise);

// Type 7 of stats::quantiles in linear time; reorders the values. NaN: none.
double quantile_in(std::vector<float>* values, double share);

}  // namespace vaa
