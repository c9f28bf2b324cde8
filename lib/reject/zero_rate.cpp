#include "reject/zero_rate.h"

#include <algorithm>
#include <cmath>

#include "stats/distributions.h"
#include "stats/power.h"

namespace vaa {

ZeroRate zero_rate(double n, double k, double design, double floor, double tests) {
  ZeroRate out;
  const int64_t trials = static_cast<int64_t>(std::min(n / design, 0x1p52)), accepted = std::min(trials, static_cast<int64_t>(std::ceil(std::min(k / design, 0x1p52))));
  out.rate = n > 0 ? k / n : std::nan("");
  out.interval = stats::clopper_pearson(accepted, trials, 1 - 0.05 / tests);
  out.p = trials > 0 ? std::min(1.0, tests * stats::binomial_at_most(accepted, trials, floor)) : 1;
  out.n_needed = static_cast<int64_t>(std::ceil(design * static_cast<double>(stats::clean_runs_needed(floor, 0.025 / tests))));
  return out;
}

double draft_share(const SpecCounts& counts) { return counts.at_position.empty() ? counts.accepted / counts.draft_tokens : counts.at_position[0] / counts.drafts; }

ZeroRate zero_of_drafts(const SpecCounts& counts, double tokens_per_draft, double design, double floor, double tests) {
  const double drafts = least_drafts(counts, tokens_per_draft);
  ZeroRate out = counts.at_position.empty() ? zero_rate(counts.draft_tokens, counts.accepted, design * counts.draft_tokens / drafts, floor, tests) : zero_rate(drafts, counts.at_position[0], design, floor, tests);
  out.n_needed = static_cast<int64_t>(std::ceil(design * static_cast<double>(stats::clean_runs_needed(floor, 0.025 / tests))));
  return out;
}

}  // namespace vaa
