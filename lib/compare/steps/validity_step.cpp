// Are the numbers of both sides such as logprobs and ids can be? What cannot be used is left out, position by position, and counted here; of too many that cannot be, nothing is compared by tokens.
#include "base/figures.h"
#include "compare/impossible_numbers.h"
#include "compare/step.h"

namespace vaa {
namespace {

struct FaultRow {
  int64_t SideFaults::* count;
  Both words;
};

std::span<const FaultRow> fault_rows() {
  static const FaultRow kRows[] = {
      {&SideFaults::nan, {"logprobs that are NaN, or minus infinity of a chosen token", "对数概率为 NaN，或被选词元为负无穷"}},
      {&SideFaults::positive, {"logprobs above 0", "对数概率大于 0"}},
      {&SideFaults::mass, {"positions whose listed probabilities add to over 1.001", "所列概率之和超过 1.001 的位置"}},
      {&SideFaults::rank, {"lists out of order, or with an id twice", "列表次序颠倒，或同一 id 出现两次"}},
      {&SideFaults::out_of_range, {"ids outside the vocabulary", "超出词表的 id"}},
      {&SideFaults::wrong_length, {"answers whose logprobs or lists are not one an id", "对数概率或列表数量与 id 不符的回答"}},
      {&SideFaults::logits, {"answers whose scores are logits", "记录的是 logits 的回答"}},
      {&SideFaults::rounded, {"logprobs left out: rounding brings them above 0", "未计入的对数概率：舍入使其大于 0"}},
      {&SideFaults::over_one, {"positions left out of KL: rounding makes their probabilities add to over 1.00001", "未计入 KL 的位置：舍入使概率之和超过 1.00001"}},
      {&SideFaults::reencoded, {"answers whose ids were made from their text: they need not be those that the model wrote", "id 由文本重新编码的回答：未必是模型所写的 id"}},
  };
  return kRows;
}

// Of the runs whose numbers are not believed; "" : none.
Both impossible_words(const ComparisonView& view) {
  Both out;
  for (const auto& [side, name] : {std::pair{&view.tokens->reference, Both{"the reference", "参考侧"}}, {&view.tokens->target, {"the target", "目标侧"}}, {view.reference_again, {"the reference's second run", "参考侧的第二次运行"}}, {view.target_again, {"the target's second run", "目标侧的第二次运行"}}}) {
    if (!side || !too_impossible(*side)) continue;
    const double share = static_cast<double>(side->impossible) / static_cast<double>(side->scored);
    out.en += (out.en.empty() ? "" : "; ") + grouped(side->impossible) + " of " + grouped(side->scored) + " positions of " + name.en + " (" + percent(share) + ") have logprobs that cannot be, first " + side->first_impossible;
    out.zh += (out.zh.empty() ? "" : "；") + name.zh + " " + grouped(side->scored) + " 个位置中有 " + grouped(side->impossible) + " 个（" + percent(share, true) + "）的对数概率不可能成立，第一处：" + side->first_impossible;
  }
  if (!out.en.empty()) out = {out.en + "; at most " + percent(kMostImpossible) + " may be left out", out.zh + "；最多可排除 " + percent(kMostImpossible, true)};
  return out;
}

StepResult run(const ComparisonView& view) {
  if (!view.tokens) return not_applicable({"no token ids on both sides", "两侧没有都记录词元 id"});
  const SideFaults &a = view.tokens->reference, &b = view.tokens->target;
  StepResult step;
  step.applies = true;
  step.n = a.tokens + b.tokens;
  step.n_unit = "tokens";
  step.section.columns = {{"what is wrong", "问题"}, {"reference", "参考"}, {"target", "目标"}};
  step.section.right = {false, true, true};
  const auto recorded = [](const SideFaults& s) { return grouped(s.answers) + " / " + grouped(s.with_logprobs) + " / " + grouped(s.with_lists) + (s.list_size > 0 ? " (" + grouped(s.list_size) + ")" : ""); };
  step.section.rows.push_back({{{"answers with ids / logprobs / lists (shortest)", "有 id / 对数概率 / 列表（最短）的回答"}, plain(recorded(a)), plain(recorded(b))}, "plain"});
  int64_t faults = 0;
  for (const FaultRow& row : fault_rows()) {
    if (a.*row.count + b.*row.count == 0) continue;
    const bool note = row.count == &SideFaults::reencoded || row.count == &SideFaults::over_one || row.count == &SideFaults::rounded;
    if (!note) faults += a.*row.count + b.*row.count;
    step.section.rows.push_back({{row.words, plain(grouped(a.*row.count)), plain(grouped(b.*row.count))}, note ? "plain" : "unsure"});
  }
  for (const auto& [side, name] : {std::pair{&a, Both{"reference", "参考"}}, {&b, {"target", "目标"}}}) {
    if (!side->first.empty()) step.section.lines.push_back({{"first of the " + name.en + ": " + side->first, name.zh + "侧第一处：" + side->first}, "", "", "", "plain"});
  }
  if (Both impossible = impossible_words(view); !impossible.en.empty()) {
    step.kind = "not_comparable";
    step.symptom = "impossible_logprobs";
    step.words = std::move(impossible);
    return step;
  }
  if (faults == 0) {
    step.words = {"every id and logprob of both sides is one that can be", "两侧的 id 与对数概率均为可能的值"};
    return step;
  }
  // Ids of the reference that cannot be say that the vocabulary is another one; broken numbers of the target alone are the finding.
  const bool of_target = (b.nan > 0 && a.nan == 0) || (b.positive > 0 && a.positive == 0) || (b.mass > 0 && a.mass == 0) || (b.rank > 0 && a.rank == 0) || (b.out_of_range > 0 && a.out_of_range == 0);
  step.words = {counted(faults, "values") + " cannot be right and are left out" + (of_target ? ": some kinds of the target alone" : ""), grouped(faults) + " 个值不可能正确，已排除" + (of_target ? "：其中有的仅目标侧出现" : "")};
  return step;
}

}  // namespace

extern const Step kValidityStep;
const Step kValidityStep = {"validity", "tokens", false, {"Validity of ids and logprobs", "id 与对数概率是否有效"}, run};

}  // namespace vaa
