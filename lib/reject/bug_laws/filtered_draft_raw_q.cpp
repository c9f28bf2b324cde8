#include <algorithm>
#include <numeric>
#include <vector>

#include "reject/bug_laws/bug_law.h"
#include "reject/steps/row_law.h"

namespace vaa {
namespace {

constexpr size_t kTopK[] = {10, 20, 50};
constexpr double kTopP[] = {0.8, 0.9, 0.95};

// Which cut was in force is not known: the mean of the usual ones.
bool drafted(const LawView& view, size_t at, std::span<double> out) {
  if (view.full->q_rows() <= at) return false;
  const std::span<const double> q = view.full->draft(at);
  std::vector<size_t> order(q.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return q[a] > q[b]; });
  std::fill(out.begin(), out.end(), 0.0);
  const auto add_first = [&](size_t kept) {
    double mass = 0;
    for (size_t i = 0; i < kept; ++i) mass += q[order[i]];
    for (size_t i = 0; i < kept && mass > 0; ++i) out[order[i]] += q[order[i]] / mass;
  };
  for (const size_t k : kTopK) add_first(std::min(k, q.size()));
  for (const double p : kTopP) {
    size_t kept = 0;
    for (double before = 0; kept < q.size() && before < p; ++kept) before += q[order[kept]];
    add_first(kept);
  }
  return normalise(out);
}

}  // namespace

extern const BugLaw kFilteredDraftRawQ;
const BugLaw kFilteredDraftRawQ = {"B04", "filtered_draft_raw_q", "drafts are cut by top-k or top-p and judged by the law before the cut", "草稿经 top-k 或 top-p 截断，却按截断前的分布检验", "transformers#47932, #47961", true, false, nullptr, nullptr, drafted, nullptr, nullptr};

}  // namespace vaa
