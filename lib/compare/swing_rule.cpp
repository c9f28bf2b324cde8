#include "compare/swing_rule.h"

#include <algorithm>
#include <set>
#include <utility>

#include "stats/quantiles.h"

namespace vaa {
namespace {

constexpr int64_t kLeastSteps = 100;
constexpr double kOnGrid = 0.75, kOff = 0.02;
constexpr double kUnseenGrid = 0.25;

bool compared(const TokenPair& pair) { return pair.greedy && pair.prompt == PromptClass::kSame; }
// Question and start: repeats share theirs, rungs of one answer do not.
using Places = std::set<std::pair<int32_t, int64_t>>;
ClusteredRate rate_of(const std::vector<double>& values, const std::vector<int64_t>& questions, const Places& places) {
  ClusteredRate rate = clustered_rate(values, questions);
  count_repeats_once(static_cast<int64_t>(places.size()), &rate);
  return rate;
}
bool likely(float gap) { return gap >= 0 && gap <= kLikelyGap; }

}  // namespace

std::vector<double> gap_changes(const TokenEvidence& evidence) {
  std::vector<double> changes;
  for (const TokenPair& pair : evidence.pairs) {
    if (!compared(pair)) continue;
    for (auto i = static_cast<size_t>(pair.first_row), end = i + static_cast<size_t>(pair.rows); i < end; ++i) {
      const double change = static_cast<double>(evidence.rows.target_gap[i]) - static_cast<double>(evidence.rows.gap[i]);
      if (!evidence.rows.flip[i] && likely(evidence.rows.gap[i]) && std::isfinite(change)) changes.push_back(change);
    }
  }
  return changes;
}

double logit_step(const TokenEvidence& evidence) {
  std::vector<double> gaps;
  for (const TokenPair& pair : evidence.pairs) {
    if (!compared(pair)) continue;
    for (const float gap : evidence.column(evidence.rows.gap, pair)) {
      if (likely(gap) && gap > 0) gaps.push_back(gap);
    }
  }
  if (static_cast<int64_t>(gaps.size()) < kLeastSteps) return 0;
  for (double step = 1; step >= 1.0 / 1024; step /= 2) {
    const auto on = std::count_if(gaps.begin(), gaps.end(), [&](double gap) { return std::fabs(gap / step - std::nearbyint(gap / step)) <= kOff; });
    if (static_cast<double>(on) >= kOnGrid * static_cast<double>(gaps.size())) return step;
  }
  return 0;
}

double self_tau(std::vector<double> changes) {
  if (static_cast<int64_t>(changes.size()) < kLeastTauTokens) return std::nan("");
  for (double& change : changes) change = std::fabs(change);
  const double share = 0.999;
  return stats::quantiles(changes, {&share, 1})[0];
}

bool calibrates(const NoiseProfile* noise) { return noise && !noise->identical && noise->pairs > 0; }

TauChoice choose_tau(const TokenEvidence& evidence, const NoiseProfile* noise, double times) {
  TauChoice tau;
  tau.step = logit_step(evidence);
  tau.grid = tau.step > 0 ? 2 * tau.step : kUnseenGrid;
  std::vector<double> changes = gap_changes(evidence);
  tau.tokens = static_cast<int64_t>(changes.size());
  if (tau.tokens >= kLeastTauTokens) {
    const double half = 0.5, median = stats::quantiles(changes, {&half, 1})[0];
    for (double& change : changes) change = std::fabs(change - median);
    tau.spread = 4.9 * 1.4826 * stats::quantiles(changes, {&half, 1})[0];
  }
  if (calibrates(noise) && !std::isnan(noise->tau)) {
    tau.source = TauSource::kSelf;
    tau.times = times;
    tau.value = times * noise->tau;
  } else if (tau.spread > tau.grid) {
    tau.source = TauSource::kSpread;
    tau.value = tau.spread;
  } else {
    tau.value = tau.grid;
  }
  return tau;
}

bool parts(const TokenPair& pair) { return compared(pair) && pair.kind != PairKind::kForced && pair.first_divergence >= 0 && !pair.length_only; }

PartKind part_kind(const TokenPair& pair, double tau) {
  if (!pair.has_swing || !pair.swing_usable || std::isnan(pair.swing.swing)) return PartKind::kNoEvidence;
  if (pair.swing.swing > tau) return PartKind::kSuspect;
  if (pair.swing.is_bound) return PartKind::kUndetermined;
  return pair.swing.swing == 0 ? PartKind::kExactTie : PartKind::kNearTie;
}

PartCounts count_parts(const TokenEvidence& evidence, double tau) {
  PartCounts counts;
  std::vector<double> suspects, doubtful;
  std::vector<int64_t> questions;
  Places places;
  for (const TokenPair& pair : evidence.pairs) {
    if (!parts(pair)) continue;
    const PartKind kind = part_kind(pair, tau);
    counts.all += 1;
    counts.of[static_cast<size_t>(kind)] += 1;
    if (kind == PartKind::kNoEvidence) continue;
    suspects.push_back(kind == PartKind::kSuspect);
    doubtful.push_back(kind == PartKind::kSuspect || kind == PartKind::kUndetermined);
    questions.push_back(pair.question);
    places.emplace(pair.question, pair.start);
  }
  counts.suspects = rate_of(suspects, questions, places);
  counts.doubtful = rate_of(doubtful, questions, places);
  return counts;
}

FirstTokens first_tokens(const TokenEvidence& evidence, double tau) {
  FirstTokens first;
  std::vector<double> other, suspects, doubtful;
  std::vector<int64_t> questions;
  Places places;
  for (const TokenPair& pair : evidence.pairs) {
    if (!compared(pair) || pair.kind == PairKind::kForced || pair.rows == 0) continue;
    const auto row = static_cast<size_t>(pair.first_row);
    const bool differs = pair.first_divergence == 0 && parts(pair);
    const PartKind kind = differs ? part_kind(pair, tau) : PartKind::kExactTie;
    if (differs) first.of[static_cast<size_t>(kind)] += 1;
    other.push_back(differs);
    suspects.push_back(differs && kind == PartKind::kSuspect);
    doubtful.push_back(differs && (kind == PartKind::kSuspect || kind == PartKind::kUndetermined || kind == PartKind::kNoEvidence));
    questions.push_back(pair.question);
    places.emplace(pair.question, pair.start);
    if (const float kl = evidence.rows.kl[row]; !std::isnan(kl)) {
      first.kl.push_back(kl);
      first.kl_questions.push_back(pair.question);
    }
  }
  first.other = rate_of(other, questions, places);
  first.suspects = rate_of(suspects, questions, places);
  first.doubtful = rate_of(doubtful, questions, places);
  return first;
}

}  // namespace vaa
