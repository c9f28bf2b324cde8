// Near tie or suspect: tau, above which a swing at a first divergence is no rounding, and how many first divergences are what.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "compare/noise_profile.h"
#include "compare/token_evidence.h"

namespace vaa {

// Gaps are compared where the second token is at least a hundredth as likely as the first: far gaps are rounded coarsely, and no near tie hangs on them.
constexpr double kLikelyGap = 4.605170185988091;  // log 100
constexpr int64_t kLeastTauTokens = 100;
// target_gap - gap over the greedy positions of any kind that agree on such tokens.
std::vector<double> gap_changes(const TokenEvidence& evidence);

// The step of the reference's logits as its gaps show it: the largest 2^-k, k of 0 to 10, of which at least three quarters of its likely gaps above 0 are multiples to 2 %. 0: none, or under 100 gaps.
double logit_step(const TokenEvidence& evidence);

enum class TauSource : uint8_t { kSelf, kSpread, kGrid };
struct TauChoice {
  double value = 0;         // nats
  double times = 1;         // of kSelf: by how much the margin lets the noise grow, which value holds
  TauSource source = TauSource::kGrid;
  int64_t tokens = 0;       // of kSpread: positions it rests on
  double spread = std::nan("");  // 4.9 * 1.4826 * the median absolute deviation of the changes; NaN: under 100 positions
  double step = 0;          // logit_step()
  double grid = 0;          // two steps; where none is seen, those of a bf16 logit in [16, 32): 0.25
};
// By preference: the reference against itself (the 99.9 % quantile, `times` it: noise of the size that a margin allows makes no suspects), the robust spread of these pairs but no less than the grid,
// the grid.
TauChoice choose_tau(const TokenEvidence& evidence, const NoiseProfile* noise, double times = 1);
// The 99.9 % quantile of the sizes; NaN for under 100.
double self_tau(std::vector<double> changes);
// Whether the reference against itself may calibrate: it was measured, and something differed.
bool calibrates(const NoiseProfile* noise);

enum class PartKind : uint8_t { kExactTie, kNearTie, kSuspect, kUndetermined, kNoEvidence };
constexpr size_t kPartKinds = 5;
PartKind part_kind(const TokenPair& pair, double tau);
// Greedy pairs that part, in free answers and rungs; an answer that is the beginning of the other has not parted.
bool parts(const TokenPair& pair);

struct PartCounts {
  std::array<int64_t, kPartKinds> of{};
  int64_t all = 0;
  ClusteredRate suspects, doubtful;  // suspects, and suspects and undetermined ones, of those with a swing
};
PartCounts count_parts(const TokenEvidence& evidence, double tau);

// First tokens of greedy free answers and rungs: prefill alone.
struct FirstTokens {
  std::array<int64_t, kPartKinds> of{};  // of those that differ
  ClusteredRate other, suspects, doubtful;  // of all first tokens
  std::vector<double> kl;                // bounds, where both have lists
  std::vector<int64_t> kl_questions;
};
FirstTokens first_tokens(const TokenEvidence& evidence, double tau);

}  // namespace vaa
