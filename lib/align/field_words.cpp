#include "align/field_words.h"

#include <algorithm>

namespace vaa {

const FieldWords& field_words(std::string_view name) {
  static const FieldWords kTable[] = {
      {"greedy", false, true, {"one side takes the likeliest token, the other draws", "一侧取最可能的词元，另一侧采样"}},
      {"temperature", true, true, {"a flatter or sharper law at every token", "每个词元的分布更平或更尖"}},
      {"top_k", true, true, {"other tokens are legal", "允许的词元不同"}},
      {"top_p", true, true, {"other tokens are legal", "允许的词元不同"}},
      {"min_p", true, true, {"other tokens are legal", "允许的词元不同"}},
      {"typical_p", true, true, {"other tokens are legal", "允许的词元不同"}},
      {"repetition_penalty", false, true, {"what was said before becomes less likely: loops and lengths change, greedy answers too", "已出现的内容概率降低：循环与长度改变，贪心回答亦然"}},
      {"repetition_last_n", false, true, {"the penalty looks back on other tokens", "惩罚回看的词元不同"}},
      {"presence_penalty", false, true, {"what was said before becomes less likely", "已出现的内容概率降低"}},
      {"frequency_penalty", false, true, {"what was said often becomes less likely", "多次出现的内容概率降低"}},
      {"logit_bias", false, true, {"single tokens are favoured or banned", "个别词元被偏置或禁止"}},
      {"bad_words", false, true, {"tokens are banned", "某些词元被禁止"}},
      {"min_tokens", false, true, {"answers may not end before it", "回答在此之前不能结束"}},
      {"max_tokens", false, true, {"answers are cut at other lengths: cut answers count as wrong", "回答在不同长度处被截断：截断的回答会判错"}},
      {"stop", false, true, {"answers end at other places", "回答在不同位置结束"}},
      {"ignore_eos", false, true, {"one side goes on after the end of the answer", "一侧在回答结束后继续生成"}},
      {"seed", true, false, {"a seed pairs answers only within one engine and version: other draws, the same law", "种子仅在同一引擎与版本内使回答成对：抽样不同，分布相同"}},
      {"samplers", true, true, {"the stages stand in another order", "各采样步骤的次序不同"}},
      {"logprobs_mode", false, false, {"logprobs mean other things; set one mode before they are compared", "logprob 含义不同；比较前统一模式"}},
  };
  return *std::find_if(std::begin(kTable), std::end(kTable) - 1, [&](const FieldWords& row) { return row.name == name; });
}

std::span<const RuleDifference> rule_differences() {
  static const RuleDifference kTable[] = {
      {"order", true, {"the stages that are set stand in another order: other tokens are legal", "所启用步骤的次序不同：允许的词元不同"}},
      {"repetition_scope", true, {"a repetition penalty looks back on other tokens", "重复惩罚回看的词元不同"}},
      {"frequency_scope", true, {"frequency and presence penalties look back on other tokens", "频率与存在惩罚回看的词元不同"}},
      {"repetition_arithmetic", false, {"a repetition penalty is rounded otherwise: one unit in the last place", "重复惩罚的舍入不同：末位一个单位"}},
      {"bad_words_scope", true, {"a bad word that begins in the prompt is banned on one side", "在提示词中开始的禁词仅一侧禁止"}},
      {"top_k_ties", false, {"of equal logits at the k-th, one side keeps all; bf16 logits tie often", "第 k 个 logit 相等时，一侧全部保留；bf16 的 logit 常常相等"}},
      {"top_p_boundary", false, {"a token whose mass before it is exactly top_p is kept on one side", "之前累计质量恰为 top_p 的词元仅一侧保留"}},
      {"top_p_ties", false, {"of equal probabilities at the boundary other ids are kept", "边界处概率相等时保留的 id 不同"}},
      {"top_k_top_p", true, {"top-p counts on the whole row or on what top-k left", "top-p 在整行上计算，或在 top-k 剩余上计算"}},
      {"top_k_top_p_with_min_p", true, {"the same, where min-p is set too", "同上，同时设置 min-p 时"}},
      {"draw", false, {"other draws from one seed; the law is the same", "同一种子抽样不同；分布相同"}},
      {"draw_order", false, {"other draws from one seed; the law is the same", "同一种子抽样不同；分布相同"}},
  };
  return kTable;
}

}  // namespace vaa
