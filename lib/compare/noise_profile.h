// How much an engine differs from itself: the reference run twice, as numbers that fit in a small file.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compare/paired_effect.h"
#include "compare/run_side.h"
#include "compare/token_evidence.h"
#include "compare/token_scale.h"

namespace vaa {

constexpr size_t kPositionBuckets = 32;  // bucket b holds absolute positions of [2^b, 2^(b+1)); 0 holds 0 and 1
size_t position_bucket(int64_t position);

// Drift of one question, a cluster, or of one bucket of positions.
struct DriftCluster {
  int64_t n = 0;                      // positions with both logprobs of the reference's token
  double absolute = 0, square = 0;    // sums over them of |target less reference|, nats, and of its square
  int64_t lists = 0, other_top = 0;   // positions with lists on both sides; where the target chose (forced: has as its first) another token
  double kl = 0;                      // sum over `lists` of the KL bounds, nats
};

struct NoiseProfile {
  // Whose noise it is; "" : not recorded. A profile that was saved is refused where these do not fit.
  std::string model, engine, hardware, logprobs_mode;
  std::string varied;                // what differed between the two runs, in words; "" : nothing that they record
  int64_t pairs = 0, diverged = 0;   // greedy pairs of free answers and rungs; those that part
  bool identical = false;            // nothing differs at all: it measured nothing
  Divergences divergences;           // of free greedy pairs
  Divergences seeded;                // of free sampled pairs of one seed
  TokenScale sigma;
  double tau = std::nan("");         // 99.9 % quantile of |difference of the two gaps| over greedy positions that agree on likely tokens (swing_rule.h), nats; NaN: not measured
  ClusteredRate suspects;            // first divergences whose swing is above tau, of those with a swing
  ClusteredRate first_suspects;      // first tokens that differ with a swing above tau, of first tokens
  ClusteredRate first_other;         // first tokens that differ, of first tokens
  std::vector<DriftCluster> drift;   // one a question that has pairs of any kind
  double kl_99 = std::nan(""), kl_999 = std::nan("");  // quantiles of the KL bounds over positions of every kind of pair
  std::array<DriftCluster, kPositionBuckets> by_position{};  // positions of every kind of pair whose start is known
  int64_t list_size = 0;             // entries a list; 0: none
};

// Of two runs of one engine. Where nothing differs, `identical` is set, and tau and sigma are those of no noise.
NoiseProfile measure_noise(const TokenEvidence& evidence, const RunSide& run, const RunSide& again);

// vaa.noise/1 (docs/noise.schema.json), a JSON object of a few KB a hundred pairs.
std::string noise_json(const NoiseProfile& noise);
// A gap or a change of a logprob is no larger: logits of float16 end at 65,504.
constexpr double kMostNats = 1e6;
// Throws Failure (VAA_ERROR_FORMAT) that names the member, its value and what is allowed: numbers that no measurement gives together.
void check_noise(const NoiseProfile& noise);
// Throws Failure (VAA_ERROR_FORMAT) that names the member; what it returns has passed check_noise().
NoiseProfile read_noise(std::string_view json);
// "" or why this noise is none of that run's, whose lists have `list_size` entries (0: none): another model, engine, hardware, mode of the logprobs, list size.
std::string noise_misfit(const NoiseProfile& noise, const RunSide& reference, int64_t list_size);

}  // namespace vaa
