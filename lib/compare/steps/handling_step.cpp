// What was made of the same ids: text, reasoning, tool calls, finish reason. The engine's numbers are right there; what stands behind them is not the same. No noise does that: the share is held against 0.
#include <array>
#include <set>

#include "base/figures.h"
#include "compare/token_gates.h"

namespace vaa {
namespace {

constexpr int64_t kFewPairs = 2;

// Pairs of the same ids, and what was made of them otherwise.
struct Handled {
  std::vector<double> other;  // 0 or 1 a pair
  std::vector<int64_t> questions;
  std::array<int64_t, 4> by{};
};
Handled handled(const TokenEvidence& evidence) {
  Handled out;
  for (const TokenPair& p : evidence.pairs) {
    if (p.kind == PairKind::kForced || p.prompt != PromptClass::kSame || p.first_divergence >= 0) continue;
    out.other.push_back(!p.same_text);
    out.questions.push_back(p.question);
    for (size_t i = 0; i < out.by.size(); ++i) out.by[i] += (p.handling >> i) & 1;
  }
  return out;
}

StepResult run(const ComparisonView& view) {
  if (!view.tokens) return not_applicable({"no token ids on both sides", "两侧没有都记录词元 id"});
  const Handled pairs = handled(*view.tokens);
  ClusteredRate rate = clustered_rate(pairs.other, pairs.questions);
  count_repeats_once(static_cast<int64_t>(std::set<int64_t>(pairs.questions.begin(), pairs.questions.end()).size()), &rate);
  if (rate.n < kFewPairs) return not_applicable({"fewer than two answers have the same ids", "id 相同的回答不足两对"});
  StepResult step;
  step.applies = true;
  step.unit = "share";
  step.noise_free = true;
  step.n_unit = "pairs";
  step.kind = "output_handling";
  step.margin = view.margins.flag_excess;
  const Effect effect = effect_of_share(rate);
  take_effect(&step, effect);
  step.p_beyond = p_above(effect, step.margin);
  step.inside = step.upper < step.margin;
  if (rate.k == 0) {
    step.words = {"the same was made of the ids of all " + counted(rate.n, "pairs") + " whose ids are the same", "id 相同的 " + grouped(rate.n) + " 对，其文本、工具调用与结束原因也相同"};
    return step;
  }
  static const Both kNames[] = {{"text", "文本"}, {"reasoning", "思考部分"}, {"tool calls", "工具调用"}, {"finish reason", "结束原因"}};
  step.section.columns = {{"other than in the reference", "与参考侧不同"}, {"pairs of the same ids", "id 相同的对"}};
  step.section.right = {false, true};
  for (size_t i = 0; i < pairs.by.size(); ++i) {
    if (pairs.by[i] > 0) step.section.rows.push_back({{kNames[i], plain(grouped(pairs.by[i]))}, step.p_beyond < 0.05 ? "bad" : "unsure"});
  }
  step.symptom = "output_handling";
  const Both size = points_words(step.effect, step.lower, step.upper);
  step.words = {"of " + counted(rate.n, "pairs") + " with the same ids " + grouped(rate.k) + " differ in what was made of them (" + view.tokens->first_handling + "): " + size.en,
                "id 相同的 " + grouped(rate.n) + " 对中有 " + grouped(rate.k) + " 对的处理结果不同（" + view.tokens->first_handling + "）：" + size.zh};
  return step;
}

}  // namespace

extern const Step kHandlingStep;
const Step kHandlingStep = {"handling", "facts", true, {"What was made of the same ids", "对相同 id 的处理"}, run};

}  // namespace vaa
