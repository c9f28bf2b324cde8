// Nothing visible was answered (docs/detectors.md).
#include <algorithm>

#include "quality/features.h"
#include "text/vocab.h"

namespace vaa {
namespace {

bool no_visible_ids(const Features& features) {
  const std::span<const int32_t> ids = features.ids();
  if (const Vocab* vocab = features.vocab())
    return std::all_of(ids.begin(), ids.end(), [&](int32_t id) { return vocab->special(id); });
  return ids.empty() || (ids.size() == 1 && features.sample().integer(IntField::kIdsIncludeStop, 0) == 1);
}

State detect(const Features& features, std::vector<Finding>* findings) {
  if (features.has_tool_calls()) return State::kNo;
  Finding finding;
  const TextPart& text = features.text();
  if (text.known && !text.decoded) {
    if (!features.answer_blank()) return State::kNo;
    if (features.thought().unclosed == State::kFound) return State::kNo;  // no answer for another reason
    const size_t begin = text.markup.answer_begin;
    finding = features.place(text, begin, text.text.size() - begin);
  } else if (!features.reasoning().known && features.ids_known()) {
    if (!no_visible_ids(features)) return State::kNo;
    finding.part = Part::kSample;
    finding.onset_token = 0;
    finding.length_tokens = static_cast<int64_t>(features.ids().size());
  } else {
    return State::kUnknown;
  }
  if (features.sample().failed()) return State::kUnknown;  // the request failed: no empty answer
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kEmpty = {
    "empty", Severity::kFail, 0.01, 1, detect,
    {"empty", "空回答"},
    {"Nothing is left of the answer but white space and control tokens.", "除空白和控制符外，回答里没有任何内容。"},
    {{"Behind the last closed thought nothing is left but white space, invisible characters of format (zero-width spaces, byte order marks, marks of "
      "direction) and special tokens. Where only ids are recorded: none, or with a vocabulary none but special ones. Not where there are tool calls, whose "
      "content is null by right; unknown where the request failed.",
      "最后一段已结束的思考之后，只剩空白、不可见的格式字符（零宽空格、字节序标记、方向标记）和特殊标记。只记录了词元 id 的：一个都没有，或（有词表时）全是"
      "特殊词元。带 tool_calls 的不算，content 本该为 null；请求失败的记“未知”。"},
     {"Published answers (alpaca_eval): 54 of 182,723 from 227 models, among 34,615 of strong ones 1; one of the 54 is a zero-width space. Nothing is "
      "estimated: an answer is empty or not. The ceiling of 1 % covers models that now and then end at once.",
      "公开回答（alpaca_eval）：227 个模型 182723 条中 54 条，其中强模型 34615 条里 1 条；54 条里有一条只有一个零宽空格。没有要估计的量：空就是空。上限 1% 留"
      "给偶尔一上来就结束的模型。"},
     {"Not recorded is not empty: an answer that the file does not hold is unknown. AISBench puts empty stand-ins in the details for failed requests, and "
      "its performance mode shows an empty answer as a failure (`chunk size is less than 2`). lm-eval writes \"\" also where the body could not be parsed, a "
      "stop string came first, or all of it was reasoning. An open thought without an answer is think_unclosed.",
      "没记录不等于空：文件里没有的回答记“未知”。AISBench 在明细里用空串顶替失败的请求，性能模式又把空回答记成失败（`chunk size is less than 2`）。lm-eval "
      "遇到响应体解析不了、停止串排在最前、内容全是思考，写出来的也是空串。思考没结束所以没有回答的，归 think_unclosed。"},
     {"A parser keeps the answer: Harmony parser ends in a non-final state, content null with stop (vllm#45736); reasoning there and content missing with 40 "
      "requests at once (vllm-ascend#1954); answer and end token left inside the reasoning (vllm#48748). End token first, depending on batch size "
      "(AISBench#107). One language only: Chinese prompts empty, English ones fine (vllm-ascend#14663). NaN logits give ids past the vocabulary, and such "
      "rows parse as empty (vllm#21876, vllm#45060). Scores hide them: 47 points in omlx#3772.",
      "解析器吞了回答：Harmony 解析器停在非终态，content 为 null 而 finish_reason 是 stop（vllm#45736）；40 并发下只有思考、没有 content（vllm-ascend#1954）；"
      "回答连同结束符留在思考里（vllm#48748）。首个词元就是结束符，且与 batch 大小有关（AISBench#107）。只在一种语言上出现：中文题全空，英文正常（"
      "vllm-ascend#14663）。logits 出 NaN，采到词表外的 id，整行被解析成空（vllm#21876、vllm#45060）。得分里看不出来：omlx#3772 因此少了 47 分。"},
     {"Send one such prompt with curl and read the raw body: is the text in `reasoning` or `reasoning_content`, is `completion_tokens` 0 or 1? Then once "
      "without the reasoning and tool parsers, and once alone instead of in a batch. `vaa check RUN --export empty --export-out again.jsonl` writes the "
      "requests.",
      "用 curl 单发一条，看原始响应：文字是不是在 `reasoning` 或 `reasoning_content` 里，`completion_tokens` 是 0 还是 1？再去掉 reasoning 和 tool 解析器各试"
      "一次，不组 batch 再试一次。请求用 `vaa check RUN --export empty --export-out again.jsonl` 导出。"}}};

}  // namespace vaa
