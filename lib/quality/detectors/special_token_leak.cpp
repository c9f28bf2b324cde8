// Control tokens of the template or the tokenizer in the text, or in the ids before their end (docs/detectors.md).
#include <algorithm>

#include "quality/features.h"
#include "quality/language_names.h"
#include "quality/roles.h"
#include "text/special_tokens.h"
#include "text/think_tags.h"
#include "text/vocab.h"

namespace vaa {
namespace {

// Special tokens that a parser of reasoning, channels, tool calls or grounding takes out of ids that are right.
bool has_a_parser(std::string_view token) {
  constexpr std::string_view kChannels[] = {"<|channel|>", "<|message|>", "<|start|>", "<|end|>", "<|constrain|>", "<|python_tag|>", "[ARGS]", "[CALL_ID]"};
  constexpr std::string_view kPieces[] = {"tool", "TOOL", "function", "object_ref", "<|box_", "<|quad_", "<|action_", "<|plugin|>"};
  if (std::find(std::begin(kChannels), std::end(kChannels), token) != std::end(kChannels)) return true;
  const auto is_tag = [&](const ThinkTag& family) { return token == family.open || token == family.close; };
  const auto has = [&](std::string_view piece) { return token.find(piece) != std::string_view::npos; };
  return std::any_of(std::begin(kPieces), std::end(kPieces), has) || std::any_of(think_tags().begin(), think_tags().end(), is_tag);
}

// How many ids come before the end: a batch pads what ended with special ids, which are no output unless the limit cut it.
size_t before_end(const Features& features) {
  const std::span<const int32_t> ids = features.ids();
  size_t size = ids.size();
  if (features.ending().cut != Ending::Cut::kCertain && features.sample().integer(IntField::kIgnoreEos, 0) == 0)
    while (size > 1 && features.vocab()->special(ids[size - 1]) && features.vocab()->special(ids[size - 2])) --size;
  return size == 0 ? 0 : size - 1;
}

State detect_ids(const Features& features, std::vector<Finding>* findings) {
  const std::span<const int32_t> ids = features.ids();
  const Vocab& vocab = *features.vocab();
  Finding finding;
  finding.part = Part::kSample;
  finding.count = 0;
  for (size_t i = 0, end = before_end(features); i < end; ++i) {
    if (!vocab.special(ids[i]) || has_a_parser(vocab.token(ids[i]))) continue;
    if (finding.count++ == 0) finding.onset_token = static_cast<int64_t>(i);
  }
  if (finding.count == 0) return State::kNo;
  finding.length_tokens = 1;
  finding.reason = "token_ids";
  if (features.sample().integer(IntField::kIgnoreEos, 0) != 0) excuse(&finding, "ignore_eos");
  findings->push_back(finding);
  return State::kFound;
}

State detect(const Features& features, std::vector<Finding>* findings) {
  State state = features.any_text() ? State::kNo : State::kUnknown;
  for (const TextPart& part : features.parts()) {
    if (part.markup.leaks == 0) continue;
    Finding finding = features.place(part, part.markup.leak.at, part.markup.leak.size);
    finding.count = part.markup.leaks;
    // Who was asked about templates quotes their tokens; behind the last word stands one that leaked.
    if (part.markup.leak.at < stripped_size(part.text) && prompt_speaks_of_tokens(features.prompt()) && !ends_in_turn(features.prompt().text())) excuse(&finding, "asked");
    findings->push_back(finding);
    state = State::kFound;
  }
  if (state == State::kFound || !features.vocab() || !features.ids_known()) return state;
  return detect_ids(features, findings);
}

}  // namespace

extern const Detector kSpecialTokenLeak = {
    "special_token_leak", Severity::kFail, 0.001, 5, detect,
    {"leaked special tokens", "特殊标记泄漏"},
    {"Control tokens of the chat template or tokenizer stand in the output.", "输出中出现了对话模板或分词器的控制标记。"},
    {{"Control tokens as text, outside code and not in the prompt: `<|…|>`, `<｜…｜>`, `<start_of_turn>`, `<end_of_turn>`, `<pad>`, `<unk>`, `<bos>`, "
      "`<eos>`, `[PAD]`, `[UNK]`, `[INST]`, `<unusedN>`, `<reserved_…N>`, and closing tags that nothing opened: `</s>`, `</tool_call`, `</function`, "
      "`</parameter`. With ids and a vocabulary: a special id before the end (padding behind it excepted), but for those that a parser of thoughts, "
      "channels, tool calls or grounding takes out. Info before the last word where the prompt speaks of tokenizers or chat templates.",
      "控制标记以文本形式出现（代码之外、提示词里也没有）：`<|…|>`、`<｜…｜>`、`<start_of_turn>`、`<end_of_turn>`、`<pad>`、`<unk>`、`<bos>`、`<eos>`、"
      "`[PAD]`、`[UNK]`、`[INST]`、`<unusedN>`、`<reserved_…N>`，以及没有开始标签对应的 `</s>`、`</tool_call`、`</function`、`</parameter`。有词元 id 和词"
      "表时：结束位置（不计其后的填充）之前出现特殊 id，思考、通道、工具调用、视觉定位解析器会取走的除外。提示词谈分词器或对话模板、且不在末尾的只提示。"},
     {"Published answers (alpaca_eval): 52 of 182,723, all read, all real: header tokens and a second turn, `</s>` with an invented question, `[/INST]`. "
      "34,615 of strong models: 0. The Universal Declaration: 0. Ceiling 0.1 %, room for texts that quote a token without code marks.",
      "公开回答（alpaca_eval）：182723 条中 52 条，逐条看过，全是真的：header 标记加第二轮对话、`</s>` 后自拟新问题、`[/INST]`。强模型 34615 条：0。《世界人"
      "权宣言》：0。上限 0.1%，给不加代码标记就引用标记的文本留的。"},
     {"`<s>…</s>` in pairs is HTML strike-through. Explanations of ChatML in code or after the prompt pass. With ignore_eos the ids run past the end token "
      "on purpose: info. A lone `</think>` is think_orphan_close. Generic type names in prose without code marks, such as `<pad>` in a layout text, would "
      "count.",
      "成对的 `<s>…</s>` 是 HTML 删除线。在代码里、或顺着提示词讲解 ChatML 的不算。开了 ignore_eos，id 越过结束符是故意的，只判提示。单独的 `</think>` 归"
      " think_orphan_close。正文里不加代码标记就写 `<pad>` 之类的，会被算进去。"},
     {"End token not applied, wrong or missing in the generation config: the model talks to itself (vllm#5924), end-of-text to the cap (TensorRT-LLM#425). "
      "Tool parsers: quote tokens of Gemma-4 raw in a stream (vllm#44522), XML arguments with a closing tag inside (vllm#55495), closing tags for ever with "
      "quantised KV and speculation (vllm#40831). Wrong logits: unused entries on one GPU (ollama#9345), a reserved token after a NaN row (sglang#33187). Or "
      "`skip_special_tokens: false` in the request.",
      "结束符没生效，generation config 里写错或缺失：模型自问自答（vllm#5924），结束符一路输出到上限（TensorRT-LLM#425）。工具解析器：Gemma-4 的引号标记在流"
      "式里原样漏出（vllm#44522），XML 参数里夹着结束标签（vllm#55495），KV 量化加投机解码时结束标签没完没了（vllm#40831）。logits 错：某型号 GPU 上采到未使"
      "用的词表项（ollama#9345），NaN 行之后采到保留词元（sglang#33187）。或请求里就写了 `skip_special_tokens: false`。"},
     {"Which token is it? An end or turn token: compare `eos_token_id` of generation_config.json with the template, and ask again with it in "
      "`stop_token_ids`. A tag of tool calls: ask once without streaming and once without the tool parser. An unused or reserved entry: it is no matter of "
      "templates, look for NaN in the logits (`VLLM_COMPUTE_NANS_IN_LOGITS=1`, then `vllm:corrupted_requests`).",
      "先看是哪个标记。结束或换轮标记：对照 generation_config.json 的 `eos_token_id` 和模板，把它加进 `stop_token_ids` 重发。工具调用标签：非流式、去掉工具解"
      "析器各试一次。未使用或保留的词表项：与模板无关，查 logits 里的 NaN（`VLLM_COMPUTE_NANS_IN_LOGITS=1`，再看 `vllm:corrupted_requests`）。"}}};

}  // namespace vaa
