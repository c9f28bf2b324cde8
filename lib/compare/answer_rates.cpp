#include "compare/answer_rates.h"

#include <algorithm>

#include "stats/means.h"

namespace vaa {
namespace {

// Fewer pairs among the tested answers than this share: what can be known on both sides is a selection of its own, and the two groups are compared as they are.
constexpr double kMostPaired = 0.9;

// What one side's answers to one question say.
struct QuestionCount {
  double k = 0, n = 0;
};

bool unequal(const std::vector<QuestionCount>& questions) {
  return std::any_of(questions.begin(), questions.end(), [&](const QuestionCount& q) { return q.n != questions.front().n; });
}

// Each question weighs the same, however many answers it has: one that was asked, or written down, forty times is no forty questions. At most what the answers would say if those to a question
// had nothing in common (Kish).
EffectiveRate rate_by_question(const std::vector<QuestionCount>& questions) {
  std::vector<double> means;
  double spread = 0;  // sum of 1 / n
  for (const QuestionCount& q : questions) {
    means.push_back(q.k / q.n);
    spread += 1 / q.n;
  }
  const stats::Mean mean = stats::mean_of(means);
  const auto count = static_cast<double>(questions.size());
  const double most = count * count / spread, variance = mean.standard_error * mean.standard_error;
  const double n = variance > 0 ? std::min(most, mean.mean * (1 - mean.mean) / variance) : most;
  return {mean.mean, mean.mean * n, n};
}

}  // namespace

AnswerRates answer_rates(const ComparisonView& view, const std::function<bool(const RunRow&)>& tested, const std::function<bool(const RunRow&, bool target)>& has) {
  std::vector<double> values[2];
  std::vector<int64_t> questions[2];
  std::vector<QuestionCount> counts[2];
  int64_t pairs[2][2] = {};  // [has in the reference][has in the target]
  bool paired = true;
  int64_t number = 0, answered = 0;
  for (const SharedQuestion& q : view.shared()) {
    bool last[2] = {};
    int64_t n[2] = {}, k[2] = {};
    for (const bool target : {false, true}) {
      const RunSide& side = target ? view.target : view.reference;
      for (const int32_t r : target ? view.target_rows(q) : view.reference_rows(q)) {
        const RunRow& row = side.row(r);
        if (!tested(row)) continue;
        last[target] = has(row, target);
        n[target] += 1;
        k[target] += last[target];
        values[target].push_back(last[target] ? 1 : 0);
        questions[target].push_back(number);
      }
    }
    for (const bool target : {false, true}) {
      if (n[target] > 0) counts[target].push_back({static_cast<double>(k[target]), static_cast<double>(n[target])});
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
  else if (unequal(counts[0]) || unequal(counts[1])) out.effect = effect_of_rates(rate_by_question(counts[0]), rate_by_question(counts[1])), out.effect.n = out.target.n;
  else out.effect = effect_of_rates(out.reference, out.target);
  return out;
}

}  // namespace vaa
