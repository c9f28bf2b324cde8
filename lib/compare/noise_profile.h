// How much an engine differs from itself: the reference run twice, as numbers that fit in a small file.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compare/run_side.h"
#include "compare/token_evidence.h"
#include "stats/flip_test.h"

namespace vaa {

constexpr size_t kPositionBuckets = 32;  // bucket b holds absolute positions of [2^b, 2^(b+1)); 0 holds 0 and 1

// One pair's drift: a cluster.
struct DriftCluster {
  int64_t n = 0;                     // positions with both logprobs
  double kl = 0, absolute = 0, square = 0;  // sums of KL bounds, of |difference|, of its square
  int64_t lists = 0, other_top = 0;  // positions with lists on both sides; where their first tokens differ
};

struct NoiseProfile {
  // Whose noise it is; "" : not recorded. A profile that was saved is refused where these do not fit.
  std::string model, engine, hardware, logprobs_mode;
  std::string varied;                // what differed between the two runs, in words; "" : nothing that they record
  int64_t pairs = 0, diverged = 0;   // greedy pairs of free answers; those that part
  bool identical = false;            // nothing differs at all: it measured nothing
  std::vector<double> entries, exits;  // first divergence of each pair (survival.h): absolute positions
  std::vector<uint8_t> events;
  stats::NoiseScale sigma;           // of the gaps; interval of 95 %
  int64_t sigma_tokens = 0, sigma_flips = 0;
  double tau = 0;                    // 99.9 % quantile of |difference of the two gaps| over positions that agree, nats; NaN: not measured
  int64_t suspects = 0, judged = 0;  // first divergences whose swing is above tau; those with a swing
  int64_t first_token_other = 0, first_tokens = 0;
  std::vector<DriftCluster> drift;   // one a pair
  double kl_99 = 0, kl_999 = 0;      // quantiles of the KL bounds over positions
  std::array<DriftCluster, kPositionBuckets> by_position{};
  int64_t list_size = 0;             // entries a list
};

// Of two runs of one engine.
NoiseProfile measure_noise(const TokenEvidence& evidence, const RunSide& run, const RunSide& again);

// vaa.noise/1, a JSON object of a few KB a hundred pairs.
std::string noise_json(const NoiseProfile& noise);
// Throws Failure (VAA_ERROR_FORMAT) that names the member.
NoiseProfile read_noise(std::string_view json);
// "" or why this noise is none of that run's: another model, engine, hardware, mode of the logprobs, list size.
std::string noise_misfit(const NoiseProfile& noise, const RunSide& reference);

}  // namespace vaa
