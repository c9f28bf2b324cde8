#include "compare/answer_rates.h"

#include <algorithm>

namespace vaa {
namespace {

// Fewer pairs among the tested answers than this share: what can be known on both sides is a selection of its own, and the two groups are compared as they are.
constexpr double kMostPaired = 0.9;

}  // namespace

AnswerRates answer_rates(const ComparisonView& view, const std::function<bool(const RunRow&)>& tested, const std::function<bool(const RunRow&, bool target)>& has) {
  std::vector<double> values[2];
  std::vector<int64_t> questions[2];
  int64_t pairs[2][2] = {};  // [has in the reference][has in the target]
  bool paired = true;
  int64_t number = 0, answered = 0;
  for (const SharedQuestion& q : view.shared()) {
    bool last[2] = {};
    int64_t n[2] = {};
    for (const bool target : {false, true}) {
      const RunSide& side = target ? view.target : view.reference;
      for (const int32_t r : target ? view.target_rows(q) : view.reference_rows(q)) {
        const RunRow& row = side.row(r);
        if (!tested(row)) continue;
        last[target] = has(row, target);
        n[target] += 1;
        values[target].push_back(last[target] ? 1 : 0);
        questions[target].push_back(number);
      }
    }
    number += 1;
    answered += n[0] > 0 && n[1] > 0;
    if (n[0] == 1 && n[1] == 1) pairs[last[0]][last[1]] += 1;
    else if (n[0] > 1 || n[1] > 1) paired = false;
  }
  AnswerRates out;
  out.reference = clustered_rate(values[0], questions[0]);
  out.target = clustered_rate(values[1], questions[1]);
  if (answered < 2) return out;
  const int64_t together = pairs[0][0] + pairs[0][1] + pairs[1][0] + pairs[1][1];
  if (paired && static_cast<double>(together) >= kMostPaired * static_cast<double>(std::max(out.reference.n, out.target.n)) && together > 0) out.effect = effect_of_pairs(pairs[1][1], pairs[1][0], pairs[0][1], pairs[0][0]);
  else out.effect = effect_of_rates(out.reference, out.target);
  return out;
}

}  // namespace vaa
