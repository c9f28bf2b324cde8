// Log-probabilities that no softmax gives, or that do not belong to the ids: the row is unusable, and the logits were perhaps NaN (docs/detectors.md).
#include <algorithm>

#include "quality/features.h"

namespace vaa {
namespace {

Finding make(const char* reason, const TokenSpots& spots) {
  Finding finding;
  finding.part = Part::kSample;
  finding.onset_token = static_cast<int64_t>(spots.first);
  finding.length_tokens = 1;
  finding.count = spots.count;
  finding.reason = reason;
  return finding;
}

// Lists beside the ids: one value a token. A stop token may have one and not the other.
void check_lengths(const Features& features, std::vector<Finding>* findings) {
  const Sample& sample = features.sample();
  const auto tokens = static_cast<int64_t>(features.ids().size());
  const auto compare = [&](int64_t have, const char* reason) {
    const int64_t missing = tokens - have;
    if (missing == 0 || (missing >= -1 && missing <= 1 && sample.has(TextField::kFinishReason) && features.ending().by_itself)) return;
    Finding finding;
    finding.part = Part::kSample;
    finding.reason = reason;
    finding.count = have;
    finding.measure = static_cast<double>(have);
    finding.threshold = static_cast<double>(tokens);
    findings->push_back(finding);
  };
  const auto values = [&](RealsField field) { return static_cast<int64_t>(sample.real_lists.get(field).size()); };
  if (features.ids_known() && sample.has(RealsField::kOutputLogprobs) && values(RealsField::kOutputLogprobs) > 0) compare(values(RealsField::kOutputLogprobs), "length");
  if (!sample.has(IntsField::kOutputTopEnds) || !sample.has(RealsField::kOutputTopLogprobs)) return;
  const std::vector<int64_t>& ends = sample.int_lists.get(IntsField::kOutputTopEnds);
  const bool fit = list_ends_fit(ends, sample.real_lists.get(RealsField::kOutputTopLogprobs).size());
  if (!fit) findings->push_back(make("top_lists", {static_cast<int64_t>(ends.size()), 0}));
  else if (features.ids_known() && !ends.empty()) compare(static_cast<int64_t>(ends.size()), "top_length");
}

State detect(const Features& features, std::vector<Finding>* findings) {
  const TokenSigns& signs = features.signs();
  const size_t before = findings->size();
  check_lengths(features, findings);
  if (signs.nan.count > 0) findings->push_back(make("nan", signs.nan));
  if (signs.impossible.count > 0) findings->push_back(make("minus_infinity", signs.impossible));
  if (signs.positive.count > 0) {
    Finding finding = make("positive", signs.positive);
    // Logits would be positive; only the recorded mode says that they are none.
    if (!features.sample().has(TextField::kLogprobsMode)) finding.confidence = Confidence::kSuspected;
    findings->push_back(finding);
  }
  if (findings->size() > before) return State::kFound;
  return signs.known ? State::kNo : State::kUnknown;
}

}  // namespace

extern const Detector kLogprobInvalid = {
    "logprob_invalid", Severity::kFail, 0.01, 5, detect,
    {"impossible log-probabilities", "对数概率异常"},
    {"Log-probabilities are NaN, positive, minus infinity for the chosen token, or not as many as the ids.", "对数概率为 NaN、正数、被选词元为负无穷，或数量与词元 id 不符。"},
    {{"Log-probabilities of the output: NaN (null in JSON); above 0.001; minus infinity, or -9999 and below, which engines write for it, of a token that was "
      "chosen; not as many as the ids (one more or less is let pass where the answer ended by itself: the stop token); lists of the top whose ends do not "
      "fit. Positive ones are suspected where the mode is not recorded. Unknown without them, and where they are logits.",
      "看输出的对数概率：NaN（JSON 里是 null）；大于 0.001；被选中的词元为负无穷，或不高于引擎用来代替它的 -9999；数量与 id 不符（自行结束的允许差一个，即"
      "停止词元）；top 列表的分界对不上。没记录模式时，正值只算疑似。没有记录或记录的是 logits 时为“未知”。"},
     {"A definition, not an estimate: a chosen token has a finite log-probability of at most 0. 0.001 is what rounding to 16 bits leaves. No public set with "
      "log-probabilities was at hand to measure a rate; the ceiling is 1 %.",
      "这是定义而不是估计：被选中的词元，对数概率必为有限值且不大于 0。0.001 是舍入到 16 位的误差。手头没有带对数概率的公开数据集可测比率，上限取 1%。"},
     {"-9999 and minus infinity among the tokens that were not chosen are masks by right and not looked at. The first log-probability of a prompt is null by "
      "right. Logits are positive: record the mode. With spans that were forced (grammars, tool tags) some engines write 0.",
      "未被选中的候选里出现 -9999 或负无穷是正常的掩码，不看。提示词的第一个对数概率本来就是 null。logits 可以为正：请记录模式。语法约束、工具标签等强制输出的"
      "片段，有的引擎写 0。"},
     {"NaN logits: the clamp to -9999 lets a NaN pass, and the JSON writer answers 500 (NeMo-RL#2962); requests with NaN that nobody stops (vllm#18777, "
      "vllm#50283, vllm#50323, sglang#33187). Lists that are shifted or doubled by speculative decoding or by detokenising in chunks: lengths differ.",
      "logits 为 NaN：截断到 -9999 拦不住 NaN，写 JSON 时报 500（NeMo-RL#2962）；NaN 请求没人拦（vllm#18777、vllm#50283、vllm#50323、sglang#33187）。投机解码"
      "或分块反分词使列表错位、重复，数量就对不上。"},
     {"Send the prompt alone with `logprobs: 5` and without speculation. Still NaN: turn off graphs, then quantisation, and count with "
      "`VLLM_COMPUTE_NANS_IN_LOGITS=1`. Only lengths differ: compare streamed with not streamed.",
      "单发这一题，带 `logprobs: 5`，关掉投机解码。仍有 NaN：先关图模式，再换非量化权重，并用 `VLLM_COMPUTE_NANS_IN_LOGITS=1` 计数。只是数量不符：比较流式与"
      "非流式。"}}};

}  // namespace vaa
