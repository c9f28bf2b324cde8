#include <algorithm>

#include "base/math.h"
#include "compare/drift.h"
#include "compare/position_drift.h"
#include "stats/rank.h"

namespace vaa {
namespace {

constexpr int64_t kMostBins = int64_t{1} << 20;
constexpr size_t kLeastRanked = 10;

// The quantity whose mean steps: NaN where a position has none.
class Quantity {
 public:
  explicit Quantity(const TokenEvidence& evidence) {
    std::vector<float> changes;
    for (const TokenPair& pair : evidence.pairs) {
      each_position(evidence, pair, [&](const PositionRow& row) {
        if (!std::isnan(row.change)) changes.push_back(static_cast<float>(row.change));
      });
    }
    double sum = 0;
    for (const float c : changes) sum += static_cast<double>(c);
    if (!(sum > 0)) return;
    sized_ = true;
    floor_ = quantile_in(&changes, 0.5);
    if (!(floor_ > 0)) floor_ = sum / static_cast<double>(changes.size());
  }
  double of(const TokenRows& rows, const PositionRow& row) const {
    if (!sized_) return std::nan("");
    const double change = row.flip ? row.gap + static_cast<double>(rows.target_gap[row.index]) : row.change;
    return std::isfinite(change) ? math::log(change + floor_) : std::nan("");
  }

 private:
  double floor_ = 0;
  bool sized_ = false;
};

std::vector<stats::PositionSum> sums_of(const TokenEvidence& evidence, const Quantity& quantity) {
  int64_t lowest = -1, highest = -1;
  for (const TokenPair& pair : evidence.pairs) {
    if (!has_positions(pair)) continue;
    lowest = lowest < 0 ? pair.start : std::min(lowest, pair.start);
    highest = std::max(highest, pair.start + pair.rows - 1);
  }
  if (lowest < 0) return {};
  const int64_t width = (highest - lowest) / kMostBins + 1;
  std::vector<stats::PositionSum> bins(static_cast<size_t>((highest - lowest) / width + 1));
  for (const TokenPair& pair : evidence.pairs) {
    each_position(evidence, pair, [&](const PositionRow& row) {
      const double value = quantity.of(evidence.rows, row);
      if (std::isnan(value)) return;
      stats::PositionSum& bin = bins[static_cast<size_t>((row.position - lowest) / width)];
      bin.first = bin.n == 0 ? row.position : std::min(bin.first, row.position);
      bin.last = std::max(bin.last, row.position);
      bin.n += 1;
      bin.sum += value;
      bin.squares += value * value;
    });
  }
  bins.erase(std::remove_if(bins.begin(), bins.end(), [](const stats::PositionSum& b) { return b.n == 0; }), bins.end());
  return bins;
}

// The variance of after - before by questions, over that of independent tokens.
double design_of(const TokenEvidence& evidence, const Quantity& quantity, const stats::ChangePoint& point) {
  std::vector<ClusterSum> before, after;
  int32_t question = -1;
  double n = 0, n_before = 0;
  for (const TokenPair& pair : evidence.pairs) {
    if (!has_positions(pair)) continue;
    if (before.empty() || pair.question != question) before.push_back({}), after.push_back({});
    question = pair.question;
    each_position(evidence, pair, [&](const PositionRow& row) {
      const double value = quantity.of(evidence.rows, row);
      if (std::isnan(value)) return;
      ClusterSum& sum = row.position < point.at ? before.back() : after.back();
      sum.n += 1;
      sum.sum += value;
      n += 1;
      n_before += row.position < point.at;
    });
  }
  const ClusterMean a = mean_of_clusters(before), b = mean_of_clusters(after);
  if (a.clusters < 2 || b.clusters < 2 || !(point.left > 0)) return 1;
  double squares = 0;
  for (size_t c = 0; c < before.size(); ++c) {
    const double change = (after[c].sum - b.mean * after[c].n) / b.tokens - (before[c].sum - a.mean * before[c].n) / a.tokens;
    squares += change * change;
  }
  const auto clusters = static_cast<double>(before.size());
  return std::max(1.0, clusters / (clusters - 1) * squares / (point.left / n * (1 / n_before + 1 / (n - n_before))));
}

}  // namespace

Onset drift_onset(const TokenEvidence& evidence) {
  const Quantity quantity(evidence);
  const std::vector<stats::PositionSum> sums = sums_of(evidence, quantity);
  Onset out;
  out.point = stats::change_point(sums, 1);
  if (!out.point.found) return out;
  out.design = design_of(evidence, quantity, out.point);
  out.point = stats::change_point(sums, out.design);
  out.grows = stats::left_by_line(sums) < out.point.left;
  return out;
}

Effect growth_within(const TokenEvidence& evidence) {
  std::vector<ClusterSum> questions;
  std::vector<double> positions, changes;
  const auto take = [&] {
    if (positions.size() >= kLeastRanked) {
      if (const double rho = stats::spearman(positions, changes).rho; !std::isnan(rho)) questions.push_back({1, rho});
    }
    positions.clear();
    changes.clear();
  };
  int32_t question = -1;
  for (const TokenPair& pair : evidence.pairs) {
    if (pair.question != question) take();
    question = pair.question;
    each_position(evidence, pair, [&](const PositionRow& row) {
      if (std::isnan(row.change)) return;
      positions.push_back(static_cast<double>(row.position));
      changes.push_back(row.change);
    });
  }
  take();
  return effect_of_mean(mean_of_clusters(questions));
}

}  // namespace vaa
