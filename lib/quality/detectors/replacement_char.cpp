// U+FFFD in the output: bytes of characters were lost on the way from tokens to text (docs/detectors.md).
#include <algorithm>
#include <iterator>

#include "quality/features.h"

namespace vaa {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// A text about the character may write it.
bool speaks_of_it(std::string_view text) {
  constexpr std::string_view kNames[] = {"U+FFFD", "uFFFD", "ufffd", "eplacement character", "REPLACEMENT CHARACTER", "替换字符"};
  return std::any_of(std::begin(kNames), std::end(kNames), [&](std::string_view name) { return text.find(name) != text.npos; });
}

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  State state = State::kNo;
  for (const TextPart& part : features.parts()) {
    const Spot& spot = part.odd.replacement;
    if (spot.count == 0 || features.prompt().contains(kReplacement)) continue;
    Finding finding = features.place(part, spot.first, spot.length);
    finding.count = spot.count;
    if (speaks_of_it(part.text)) {
      finding.severity = Severity::kInfo;
      finding.confidence = Confidence::kSuspected;
      finding.reason = "spoken_of";
    }
    if (spot.count == 1 && part.odd.ends_in_replacement && excused_as_cut(features.ending(), &finding)) continue;
    findings->push_back(finding);
    state = State::kFound;
  }
  return state;
}

}  // namespace

extern const Detector kReplacementChar = {
    "replacement_char", Severity::kFail, 0.001, 5, detect,
    {"replacement characters", "替换字符 U+FFFD"},
    {"Replacement characters (U+FFFD) stand where the text was decoded from incomplete bytes.", "出现替换字符 U+FFFD：文本由不完整的字节解码而来。"},
    {{"Any U+FFFD in text or reasoning, unless the prompt holds one. A single one at the very end of an answer that was cut is half a character: the cut "
      "itself. Where nothing says whether it was cut, that is a suspected warning. U+FFFD inside the tokens of log-probabilities is normal and not looked at. Info where the text itself speaks of U+FFFD.",
      "正文或思考里出现 U+FFFD，提示词里也有的除外；正文本身在讲 U+FFFD 的为提示。被截断的回答末尾单独一个，是半个字符，属于截断本身；不知道是否被截断时判疑似警告。logprobs 的词元文本里"
      "有 U+FFFD 是正常的，不看。"},
     {"Published answers (alpaca_eval): 90 of 182,723, all read, all damage: emoji and rare scripts lost, Latin-1 bytes taken for UTF-8; 2 are single at the "
      "end and warn. 34,615 of strong models: 9 (0.026 %). The Universal Declaration in some 500 languages: 0. Healthy engines show none; the ceiling of 0.1 "
      "% is room for texts that quote one.",
      "公开回答（alpaca_eval）：182723 条中 90 条，逐条看过，全是真损坏：emoji 和生僻文字丢失，或把 Latin-1 字节当 UTF-8；其中 2 条只在末尾有一个，判警告。强"
      "模型 34615 条：9 条（0.026%）。约 500 种语言的《世界人权宣言》：0。正常引擎不会有，上限 0.1% 是给引用该字符的文本留的。"},
     {"Texts about encodings; damaged bytes quoted from the prompt are excused. A model may have learnt the character from damaged training text and writes "
      "it as a token of its own: then the id is that of U+FFFD, and not several byte tokens. Bytes that were dropped instead of marked leave no trace here.",
      "讲编码的文章；引用提示词里已损坏的字节则不算。模型也可能从脏语料学会了这个字符：这时输出的就是它自己的词元，而不是几个字节词元。字节被直接丢弃、没留"
      "替换字符的，这里看不出来。"},
     {"The detokenizer: characters of Mistral-Nemo's tekken lost (vllm#8627); each token decoded by itself in the batch path, every emoji gone (exo#1691). A "
      "stream that sends half a character and starts anew with the next chunk; a client that decodes chunk by chunk, or bytes of another encoding as UTF-8. "
      "Wrong tokens: byte tokens that never make up a character, mostly beside script_soup, after NaN rows or cache faults.",
      "detokenizer：Mistral-Nemo 的 tekken 丢字（vllm#8627）；batch 路径逐词元解码，emoji 全丢（exo#1691）。流式接口先发半个字符，下一块又从头解码；客户端"
      "逐块解码，或把别的编码当 UTF-8。也可能词元本身就错：字节词元凑不成字符，多与 script_soup 同现，见于 logits 出 NaN 或 cache 出错之后。"},
     {"Ask one such prompt with `return_token_ids` and decode the ids with the model's own tokenizer, all at once. Clean: the server's detokenizer or the "
      "client lost it; compare streamed with not streamed. Damaged too: the ids are wrong, so compare with a reference engine as for garbled text.",
      "带 `return_token_ids` 重发一条，用模型自带的 tokenizer 把全部 id 一次性解码。解出来正常：是服务端 detokenizer 或客户端弄丢的，再比流式与非流式。解出来"
      "也坏：id 就错了，按乱码处理，和参照引擎比。"}}};

}  // namespace vaa
