// Token evidence by absolute position: the number of ids before a token, the prompt counted in. An answer enters at the length of its prompt and leaves where it parts, so that long answers do not
// stand for short ones.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "compare/gap_counts.h"
#include "compare/noise_profile.h"
#include "compare/swing_rule.h"
#include "compare/token_evidence.h"

namespace vaa {


// One greedy position whose bucket is known.
struct PositionRow {
  int32_t question;
  int64_t position;
  size_t index;       // in the columns
  double gap;         // of the reference, nats
  bool flip;
  double change;      // |change of the gap|, nats: where the sides chose otherwise, the sum of both gaps; NaN where a side has no list, or the reference's second token is under 1 % of its first
};
// Calls visit(const PositionRow&) for the rows of a pair, and for no rows of a pair whose start is not known, that is not greedy, or whose numbers cannot be used.
template <class Visit>
void each_position(const TokenEvidence& evidence, const TokenPair& pair, Visit&& visit);
bool has_positions(const TokenPair& pair);

// Sums over the positions of one question in one bucket.
struct PositionCell {
  int32_t question = 0;
  int64_t n = 0, flips = 0;
  double expected = 0, variance = 0;  // of the flips, at the sigma that was asked for: sum of h and of h (1 - h), h = P(N > gap / sigma)
  int64_t sized = 0;
  double size = 0;                    // sum of |change of the gap|
  int64_t lists = 0;
  double kl = 0;
};
struct PositionBucket {
  std::vector<PositionCell> cells;    // one a question, by its number
  GapCounts gaps;                     // of all its positions
  PositionCell total() const;
};
struct PositionSums {
  std::array<PositionBucket, kPositionBuckets> buckets;
  int64_t pairs = 0, left_out = 0;    // greedy pairs that have positions; those without a known start
  int64_t lowest = -1, highest = -1;  // positions
};
// First without expectations (sigma NaN), then once more with the sigma that the first pass gave, where no other is known.
PositionSums position_sums(const TokenEvidence& evidence, double sigma);

template <class Visit>
void each_position(const TokenEvidence& evidence, const TokenPair& pair, Visit&& visit) {
  if (!has_positions(pair)) return;
  const TokenRows& rows = evidence.rows;
  for (int32_t k = 0; k < pair.rows; ++k) {
    const auto i = static_cast<size_t>(pair.first_row) + static_cast<size_t>(k);
    const auto gap = static_cast<double>(rows.gap[i]), other = static_cast<double>(rows.target_gap[i]);
    if (!(gap >= 0) || std::isinf(gap)) continue;
    const bool flip = rows.flip[i] != 0;
    const double change = gap <= kLikelyGap ? std::fabs((flip ? -other : other) - gap) : std::nan("");
    visit(PositionRow{pair.question, pair.start + k, i, gap, flip, std::isinf(change) ? std::nan("") : change});
  }
}

}  // namespace vaa
