#include "compare/drift.h"

#include <algorithm>
#include <map>

#include "base/exact_sum.h"
#include "base/math.h"

namespace vaa {
namespace {

bool forced(const TokenPair& pair) { return pair.kind == PairKind::kForced; }
bool takes(DriftPart part, const TokenPair& pair) {
  return part == DriftPart::kPrefill || forced(pair) == (part == DriftPart::kForced);
}
// The indices of a pair's positions that belong to the part.
std::pair<int32_t, int32_t> range_of(DriftPart part, const TokenPair& pair) {
  if (part == DriftPart::kPrefill && !forced(pair)) return {0, std::min(1, pair.rows)};
  return {part == DriftPart::kDecode ? 1 : 0, pair.rows};
}

void add_position(const TokenRows& rows, bool greedy, size_t i, QuestionDrift* sums) {
  const auto own = static_cast<double>(rows.reference_logprob[i]), other = static_cast<double>(rows.target_logprob[i]);
  if (const double change = other - own; std::isfinite(change)) {
    const double step = math::exp(other) - math::exp(own);
    sums->n += 1;
    sums->absolute += std::fabs(change);
    sums->dp_square += step * step;
    sums->k3 += math::expm1(change) - change;
  } else if (std::isfinite(own)) {
    sums->unlisted += 1;
  }
  if (std::isfinite(rows.kl[i])) {
    sums->lists += 1;
    sums->kl += static_cast<double>(rows.kl[i]);
    if (std::isfinite(rows.kl_rest[i])) sums->rest += static_cast<double>(rows.kl_rest[i]);
  }
  if (const auto gap = static_cast<double>(rows.gap[i]); gap >= 0) {
    const double odds = math::exp(-gap);
    sums->gaps += 1;
    sums->flat += odds / ((1 + odds) * (1 + odds));
    if (greedy && !std::isnan(rows.target_gap[i])) sums->choices += 1, sums->other += rows.flip[i];
  }
}

}  // namespace

ClusterMean Drift::mean_of(int64_t QuestionDrift::*n, double QuestionDrift::*sum) const {
  std::vector<ClusterSum> clusters;
  for (const QuestionDrift& q : questions) clusters.push_back({static_cast<double>(q.*n), q.*sum});
  return mean_of_clusters(clusters);
}
double Drift::total(double QuestionDrift::*of) const {
  ExactSum sum;
  for (const QuestionDrift& q : questions) sum.add(q.*of);
  return sum.value();
}
int64_t Drift::count(int64_t QuestionDrift::*of) const {
  int64_t sum = 0;
  for (const QuestionDrift& q : questions) sum += q.*of;
  return sum;
}

Drift drift_of(const TokenEvidence& evidence, DriftPart part) {
  Drift out;
  std::map<int32_t, QuestionDrift> questions;
  for (const TokenPair& pair : evidence.pairs) {
    if (!takes(part, pair) || pair.prompt != PromptClass::kSame || pair.rows == 0) continue;
    if (!pair.swing_usable) {
      out.left_out += 1;
      continue;
    }
    const auto [from, to] = range_of(part, pair);
    if (from >= to) continue;
    out.pairs += 1;
    out.seen += to - from;
    out.possible += forced(pair) ? to - from : std::max<int64_t>(to, std::min(pair.reference_tokens, pair.target_tokens)) - from;
    QuestionDrift& sums = questions[pair.question];
    for (int32_t k = from; k < to; ++k) {
      const auto i = static_cast<size_t>(pair.first_row) + static_cast<size_t>(k);
      add_position(evidence.rows, pair.greedy, i, &sums);
      if (std::isfinite(evidence.rows.kl[i])) out.kl.push_back(evidence.rows.kl[i]);
    }
  }
  for (const auto& [question, sums] : questions) out.questions.push_back(sums);
  return out;
}

ClusterMean mean_kl(const Drift& drift) { return drift.mean_of(&QuestionDrift::lists, &QuestionDrift::kl); }

ClusterMean mean_kl(const NoiseProfile& noise) {
  std::vector<ClusterSum> clusters;
  for (const DriftCluster& c : noise.drift) clusters.push_back({static_cast<double>(c.lists), c.kl});
  return mean_of_clusters(clusters);
}

bool drift_calibrates(const NoiseProfile* noise) {
  return noise && !noise->identical && std::any_of(noise->drift.begin(), noise->drift.end(), [](const DriftCluster& c) { return c.n + c.lists > 0; });
}

double quantile_in(std::vector<float>* values, double share) {
  if (values->empty()) return std::nan("");
  const double place = share * static_cast<double>(values->size() - 1);
  const auto at = values->begin() + static_cast<std::ptrdiff_t>(place);
  std::nth_element(values->begin(), at, values->end());
  const auto low = static_cast<double>(*at);
  if (at + 1 == values->end()) return low;
  return low + (static_cast<double>(*std::min_element(at + 1, values->end())) - low) * (place - std::floor(place));
}

}  // namespace vaa
