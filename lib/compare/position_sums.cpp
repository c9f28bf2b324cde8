#include "compare/position_sums.h"

#include <algorithm>
#include <cmath>

#include "stats/distributions.h"

namespace vaa {
namespace {

void merge(PositionCell* into, const PositionCell& from) {
  into->n += from.n;
  into->flips += from.flips;
  into->expected += from.expected;
  into->variance += from.variance;
  into->sized += from.sized;
  into->size += from.size;
  into->lists += from.lists;
  into->kl += from.kl;
}

// Pairs of a question stand together mostly, not always.
void one_a_question(std::vector<PositionCell>* cells) {
  std::stable_sort(cells->begin(), cells->end(), [](const PositionCell& a, const PositionCell& b) { return a.question < b.question; });
  size_t kept = 0;
  for (size_t i = 0; i < cells->size(); ++i) {
    if (kept > 0 && (*cells)[kept - 1].question == (*cells)[i].question) merge(&(*cells)[kept - 1], (*cells)[i]);
    else (*cells)[kept++] = (*cells)[i];
  }
  cells->resize(kept);
}

}  // namespace


bool has_positions(const TokenPair& pair) {
  return pair.greedy && pair.start >= 0 && pair.rows > 0 && pair.swing_usable && pair.prompt == PromptClass::kSame;
}

PositionCell PositionBucket::total() const {
  PositionCell sum;
  for (const PositionCell& cell : cells) merge(&sum, cell);
  return sum;
}

PositionSums position_sums(const TokenEvidence& evidence, double sigma) {
  PositionSums out;
  for (const TokenPair& pair : evidence.pairs) {
    out.left_out += pair.greedy && pair.rows > 0 && pair.start < 0;
    if (!has_positions(pair)) continue;
    out.pairs += 1;
    each_position(evidence, pair, [&](const PositionRow& row) {
      PositionBucket& bucket = out.buckets[position_bucket(row.position)];
      if (bucket.cells.empty() || bucket.cells.back().question != row.question) bucket.cells.push_back({.question = row.question});
      PositionCell& cell = bucket.cells.back();
      bucket.gaps.add(row.gap);
      cell.n += 1;
      cell.flips += row.flip;
      if (sigma > 0) {
        const double h = stats::normal_tail(row.gap / sigma);
        cell.expected += h;
        cell.variance += h * (1 - h);
      }
      if (!std::isnan(row.change)) cell.sized += 1, cell.size += row.change;
      const auto kl = static_cast<double>(evidence.rows.kl[row.index]);
      if (std::isfinite(kl)) cell.lists += 1, cell.kl += kl;
      out.lowest = out.lowest < 0 ? row.position : std::min(out.lowest, row.position);
      out.highest = std::max(out.highest, row.position);
    });
  }
  for (PositionBucket& bucket : out.buckets) one_a_question(&bucket.cells);
  return out;
}

}  // namespace vaa
