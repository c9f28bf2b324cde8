#include "compare/verdict_kinds.h"

#include <algorithm>
#include <string>

namespace vaa {
namespace {

bool listed(std::string_view names, std::string_view name) { return ("|" + std::string(names) + "|").find("|" + std::string(name) + "|") != std::string::npos; }

}  // namespace

// The kinds of token steps and their order: docs/compare.md.
std::span<const VerdictKind> verdict_kind_table() {
  static const VerdictKind kTable[] = {
      {"input_mismatch", false, "prompts", {"the prompts are not the same ids: what follows compares two other things", "提示词 id 不同：其后比较的是两件不同的事"}},
      {"early_end", false, "early_end", {"answers are the beginning of the reference's and end there", "回答只是参考侧回答的开头，提前结束"}},
      {"prefill_mismatch", true, "", {"the first token already differs: prefill alone, no noise has gathered yet", "首个词元已不同：仅经预填充，尚无累积噪声"}},
      {"batch_or_schedule_dependent", true, "", {"the target differs from itself with the batch or schedule, the reference does not", "目标随批次或调度与自身不同，参考则不会"}},
      {"position_dependent_drift", true, "", {"the difference begins at, or grows with, the position", "差异从某个位置开始，或随位置增长"}},
      {"numeric_drift", true, "", {"the numbers differ by more than the reference differs from itself", "数值差异超过参考侧自身的差异"}},
      {"sampler_mismatch", true, "", {"logits agree, what is drawn from them does not", "logits 一致，采样结果不一致"}},
      {"seeded_divergence", true, "", {"answers of one seed part sooner than the reference from itself; whether logits or sampler, ids alone do not tell", "同一种子的回答比参考侧与自身更早分开；仅凭 id 无法区分 logits 与采样器"}},
      {"speculation_changes_law", false, "opening_law|opening_temperature", {"with speculation tokens are drawn by another law", "投机解码改变了抽样的分布"}},
      {"output_handling", false, "", {"the ids are the same; text, tool calls, finish reason or reasoning are not", "id 相同，而文本、工具调用、结束原因或思考部分不同"}},
      {"catastrophic_bad_cases", false, "", {"more answers are broken, most are as they should be", "更多回答损坏，其余大多正常"}},
      {"broken_answers", false, "flags", {"most answers are broken", "大多数回答损坏"}},
      {"not_fixed", false, "fixed", {"answers are broken as often as before the fix", "损坏的比率与修复前相同"}},
      {"score_drop", false, "score", {"the mean score fell", "平均得分下降"}},
      {"length_change", false, "lengths", {"answers are longer or shorter", "回答变长或变短"}},
  };
  return kTable;
}

const VerdictKind& verdict_kind(const Step& step, const StepResult& result) {
  const auto table = verdict_kind_table();
  const auto by = [&](auto&& holds) { return std::find_if(table.begin(), table.end(), holds); };
  auto found = by([&](const VerdictKind& k) { return std::string_view(result.kind) == k.name; });
  if (found == table.end()) found = by([&](const VerdictKind& k) { return listed(k.steps, step.name); });
  if (found == table.end()) found = by([&](const VerdictKind& k) { return std::string_view(k.name) == (std::string_view(step.family) == "tokens" ? "numeric_drift" : "broken_answers"); });
  return *found;
}

}  // namespace vaa
