// What was made of the same ids: text, reasoning, tool calls, finish reason. The engine's numbers are right there; what stands behind them is not the same.
#include <array>

#include "base/figures.h"
#include "compare/step.h"
#include "stats/intervals.h"

namespace vaa {
namespace {

StepResult run(const ComparisonView& view) {
  if (!view.tokens) return not_applicable({"no token ids on both sides", "两侧没有都记录词元 id"});
  int64_t all = 0, other = 0;
  std::array<int64_t, 4> by{};
  for (const TokenPair& p : view.tokens->pairs) {
    if (p.kind == PairKind::kForced || p.prompt != PromptClass::kSame || p.first_divergence >= 0) continue;
    all += 1;
    other += !p.same_text;
    for (size_t i = 0; i < by.size(); ++i) by[i] += (p.handling >> i) & 1;
  }
  if (all == 0) return not_applicable({"no two answers have the same ids", "没有两侧 id 完全相同的回答"});
  StepResult step;
  step.applies = true;
  step.n = all;
  step.n_unit = "pairs";
  step.unit = "share";
  step.kind = "output_handling";
  step.effect = static_cast<double>(other) / static_cast<double>(all);
  const stats::Interval sure = stats::clopper_pearson(other, all);
  step.lower = sure.low;
  step.upper = sure.high;
  if (other == 0) {
    step.words = {"the same was made of the ids of all " + counted(all, "pairs") + " whose ids are the same", "id 相同的 " + grouped(all) + " 对，其文本、工具调用与结束原因也相同"};
    return step;
  }
  static const Both kNames[] = {{"text", "文本"}, {"reasoning", "思考部分"}, {"tool calls", "工具调用"}, {"finish reason", "结束原因"}};
  step.section.columns = {{"other than in the reference", "与参考侧不同"}, {"pairs of the same ids", "id 相同的对"}};
  step.section.right = {false, true};
  for (size_t i = 0; i < by.size(); ++i) {
    if (by[i] > 0) step.section.rows.push_back({{kNames[i], plain(grouped(by[i]))}, "unsure"});
  }
  step.symptom = "output_handling";
  step.words = {"of " + counted(all, "pairs") + " with the same ids " + grouped(other) + " differ in what was made of them (" + view.tokens->first_handling + ")", "id 相同的 " + grouped(all) + " 对中有 " + grouped(other) + " 对的处理结果不同（" + view.tokens->first_handling + "）"};
  return step;
}

}  // namespace

extern const Step kHandlingStep;
const Step kHandlingStep = {"handling", "facts", false, {"What was made of the same ids", "对相同 id 的处理"}, run};

}  // namespace vaa
