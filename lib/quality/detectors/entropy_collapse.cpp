// Thousands of tokens in a row without any doubt: a loop that need not be literal (docs/detectors.md).
#include "quality/features.h"

namespace vaa {
namespace {

constexpr size_t kLeast = 3000;  // tokens in a row with probability above 0.99 (MiniMax-M1, arXiv:2506.13585)

State detect(const Features& features, std::vector<Finding>* findings) {
  const TokenSigns& signs = features.signs();
  if (!signs.known) return State::kUnknown;
  if (signs.sure.size < kLeast) return State::kNo;
  // Processed log-probabilities are those of what top-k, top-p and temperature leave: of greedy decoding 0.
  const std::string_view mode = features.sample().text(TextField::kLogprobsMode);
  if (signs.all_zero || mode.find("processed") != std::string_view::npos) return State::kUnknown;
  Finding finding;
  finding.severity = Severity::kWarn;
  finding.part = Part::kSample;
  finding.onset_token = static_cast<int64_t>(signs.sure.at);
  finding.length_tokens = static_cast<int64_t>(signs.sure.size);
  finding.count = finding.length_tokens;
  finding.measure = static_cast<double>(signs.sure.size);
  finding.threshold = static_cast<double>(kLeast);
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kEntropyCollapse = {
    "entropy_collapse", Severity::kWarn, 1.0, -1, detect,
    {"collapsed entropy", "熵坍缩"},
    {"Thousands of tokens in a row have a probability above 0.99: the model goes round in what it said.", "连续数千个词元的概率都高于 0.99：模型在已说过的内容里打转。"},
    {{"3,000 output tokens in a row whose probability is above 0.99 each. The rule is the one by which MiniMax-M1 stops its rollouts (arXiv:2506.13585). "
      "Unknown where the log-probabilities are processed ones, all exactly 0, logits, or not recorded.",
      "连续 3000 个输出词元，每个的概率都高于 0.99。这是 MiniMax-M1 用来提前停止采样的规则（arXiv:2506.13585）。对数概率是 processed、全为 0、是 logits 或"
      "没记录时，为“未知”。"},
     {"Published by its authors; no public set with log-probabilities of long answers was at hand here. Code and quotations stay above 0.99 for hundreds of "
      "tokens, not for thousands. It is shown and fails no run.",
      "规则由其作者公布；这里没有带对数概率的长回答公开集可测。代码和引文会连续数百个词元高于 0.99，到不了数千。只展示，不会使运行失败。"},
     {"An answer that copies a long text of its prompt, as it was asked to, is certain of each token too. Greedy decoding with processed log-probabilities "
      "is 0 throughout. Literal loops are found by repetition_loop far earlier.",
      "按要求照抄提示词里的长文本，每个词元也都很确定。贪心解码配 processed 对数概率，全程为 0。逐字循环早就被 repetition_loop 查到。"},
     {"Loops that are not literal: the same argument in other words, a counter that goes on, a list that writes itself. Models that were distilled or "
      "trained by reinforcement, at low temperature. Wrong positions or a stale KV cache, after which the model only continues its own pattern.",
      "不是逐字的循环：同一论点换着说法、计数不停、清单自己续写。蒸馏或强化学习训练的模型在低温下常见。位置编码错或 KV 缓存脏了之后，模型只会延续自己的模式。"},
     {"Read the text from the onset on: does it say anything new? If not, ask again at temperature 0.6 to 1.0, and let a client stop such answers as they "
      "stream (see the monitor).",
      "从起点往后读：有没有新内容？没有就把温度调到 0.6～1.0 重发，并让客户端边收边停（见 monitor）。"}}};

}  // namespace vaa
