#include "reject/steps/row_law.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/math.h"

namespace vaa {
namespace {

// p / q of a draft; NaN: not known. q = 0 is accepted by some engines and rejected by others.
double ratio_of(const StepRow& row, const StepHeader& header, size_t at) {
  if (!row.has(StepRow::kP)) return std::nan("");
  if (header.draft_probs == DraftProbs::kOneHot) return row.p[at];
  if (header.draft_probs == DraftProbs::kUnknown || !row.has(StepRow::kQ)) return std::nan("");
  return row.q[at] > 0 ? static_cast<double>(row.p[at]) / static_cast<double>(row.q[at]) : std::nan("");
}

double entropy_of(const StepRow& row, const FullRows* full, size_t at) {
  return row.has(StepRow::kEntropy) ? row.entropy[at] : full ? row_entropy(full->target(at)) : std::nan("");
}

double chance(const StepRow& row, const StepHeader& header, const FullRows* full, size_t at) {
  const double ratio = ratio_of(row, header, at), p = row.has(StepRow::kP) ? row.p[at] : std::nan("");
  const auto at_most_one = [](double x) { return x > 1 ? 1.0 : x; };
  switch (header.rule) {
    case StepRule::kToken: return at_most_one(ratio);
    case StepRule::kBlock: return header.draft_probs == DraftProbs::kOneHot ? at_most_one(ratio) : std::nan("");  // D13: the same law
    case StepRule::kExactMatch: return p;
    case StepRule::kEntropy: return at_most_one(ratio / std::min(math::exp(-header.entropy_alpha * entropy_of(row, full, at)), header.entropy_cap));
    case StepRule::kTypical: {
      const double limit = std::min(header.typical_epsilon, header.typical_delta * math::exp(-entropy_of(row, full, at)));
      return std::isnan(limit) || std::isnan(p) ? std::nan("") : p > limit ? 1 : 0;
    }
    case StepRule::kThreshold: return std::isnan(ratio) ? ratio : ratio >= header.threshold ? 1 : 0;
    case StepRule::kSynthetic: {
      const auto& rates = header.synthetic_rates;
      const double before = at == 0 ? 1 : at <= rates.size() ? rates[at - 1] : 0;
      return at < rates.size() && before > 0 ? rates[at] / before : 0;
    }
  }
  return std::nan("");
}

// Block verification of drafts with a law (sampling.md §2.2): from the chance of each place to be the last one taken to that of going on.
void block_chances(const StepRow& row, const FullRows& full, std::span<double> out) {
  const size_t n = row.drafts.size();
  std::vector<double> h(n);
  double path = 1;
  for (size_t i = 0; i < n; ++i) {
    path = std::min(1.0, path * static_cast<double>(row.p[i]) / static_cast<double>(row.q[i]));
    double rest = 0;
    if (i + 1 < n)
      for (size_t x = 0; x < full.vocab; ++x) rest += std::max(0.0, path * full.target(i + 1)[x] - full.draft(i + 1)[x]);
    h[i] = i + 1 == n ? path : rest + 1 - path == 0 ? 1 : rest / (rest + 1 - path);
  }
  // reach[i]: some place from i on is taken.
  double reach = 0;
  for (size_t i = n; i-- > 0;) {
    const double before = h[i] + (1 - h[i]) * reach;
    out[i] = before;
    reach = before;
  }
  for (size_t i = n; i-- > 1;) out[i] = out[i - 1] > 0 ? out[i] / out[i - 1] : std::nan("");
}

}  // namespace

double row_entropy(std::span<const double> p) {
  double out = 0;
  for (const double x : p)
    if (x > 0) out -= x * math::log(x);
  return out;
}

bool normalise(std::span<double> weights) {
  double sum = 0;
  for (const double w : weights) sum += w;
  if (!(sum > 0) || std::isinf(sum)) return false;
  for (double& w : weights) w /= sum;
  return true;
}

bool without_draft(std::span<const double> p, int32_t draft, std::span<double> out) {
  std::copy(p.begin(), p.end(), out.begin());
  if (draft >= 0) out[static_cast<size_t>(draft)] = 0;
  return normalise(out);
}

bool positive_part(std::span<const double> p, std::span<const double> q, std::span<double> out) {
  for (size_t x = 0; x < p.size(); ++x) out[x] = std::max(0.0, p[x] - q[x]);
  return normalise(out);
}

size_t likeliest(std::span<const double> p) { return static_cast<size_t>(std::max_element(p.begin(), p.end()) - p.begin()); }

void accept_chances(const StepRow& row, const StepHeader& header, const FullRows* full, std::span<double> out) {
  const bool padded = std::find(row.drafts.begin(), row.drafts.end(), -1) != row.drafts.end();
  for (size_t i = 0; i < row.drafts.size(); ++i) out[i] = row.drafts[i] < 0 ? 0 : chance(row, header, full, i);
  const bool rows = full && full->p_rows() >= row.drafts.size() && full->q_rows() == row.drafts.size() && row.has(StepRow::kP) && row.has(StepRow::kQ);
  if (header.rule == StepRule::kBlock && header.draft_probs == DraftProbs::kRecorded && rows && !padded) block_chances(row, *full, out);
}

bool residual_law(const StepRow& row, const StepHeader& header, const FullRows& full, size_t at, std::span<double> out) {
  const int32_t draft = row.drafts[at];
  if (header.rule == StepRule::kTypical || header.rule == StepRule::kThreshold || header.rule == StepRule::kSynthetic || draft < 0) return false;
  if (header.draft_probs == DraftProbs::kOneHot || header.rule == StepRule::kExactMatch) return without_draft(full.target(at), draft, out);
  if (header.draft_probs == DraftProbs::kUnknown || full.q_rows() <= at) return false;
  if (header.rule != StepRule::kBlock) return positive_part(full.target(at), full.draft(at), out);
  double path = 1;
  if (!row.has(StepRow::kP) || !row.has(StepRow::kQ)) return false;
  for (size_t i = 0; i < at; ++i) path = std::min(1.0, path * static_cast<double>(row.p[i]) / static_cast<double>(row.q[i]));
  for (size_t x = 0; x < out.size(); ++x) out[x] = std::max(0.0, path * full.target(at)[x] - full.draft(at)[x]);
  return normalise(out);
}

}  // namespace vaa
