// The answer begins with the prompt (docs/detectors.md).
#include <algorithm>

#include "quality/features.h"

namespace vaa {
namespace {

constexpr size_t kLeast = 64;  // bytes of the prompt that the answer repeats

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t begin = text.find_first_not_of(kSpace);
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

State detect(const Features& features, std::vector<Finding>* findings) {
  const TextPart& text = features.text();
  if (!text.known || !features.prompt().recorded()) return State::kUnknown;
  const size_t begin = text.text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || text.text.size() - begin < kLeast) return State::kNo;
  const std::string_view said = text.text.substr(begin), prompt = trimmed(features.prompt().text());
  const size_t at = prompt.find(said.substr(0, kLeast));
  if (at == std::string_view::npos) return State::kNo;
  const std::string_view rest = prompt.substr(at);
  const auto size = static_cast<size_t>(std::mismatch(said.begin(), said.begin() + static_cast<ptrdiff_t>(std::min(said.size(), rest.size())), rest.begin()).first - said.begin());
  const bool whole = at == 0 && size == prompt.size();
  Finding finding = features.place(text, begin, size);
  finding.severity = Severity::kInfo;
  finding.confidence = whole ? Confidence::kCertain : Confidence::kSuspected;
  finding.reason = whole ? "whole_prompt" : "piece";
  finding.measure = static_cast<double>(size);
  finding.threshold = static_cast<double>(kLeast);
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kPromptEcho = {
    "prompt_echo", Severity::kInfo, 1.0, -1, detect,
    {"repeats the prompt", "复述提示词"},
    {"The output begins with the prompt or a long piece of it.", "输出以提示词或其中一长段原文开头。"},
    {{"The text begins with at least 64 bytes of the prompt, from its beginning or from anywhere in it. The measure is how many bytes are repeated. It is info: it "
      "harms no answer, and scorers that take the last one do not see it.",
      "文本以提示词的至少 64 字节原文开头，可以是提示词开头，也可以是其中任意位置。度量值是重复了多少字节。只作提示：不损害回答，取末尾答案的评分器也看不到它。"},
     {"Published answers (alpaca_eval): 419 of 182,723 (0.23 %), 14 of them the whole prompt; 41 of 34,615 of strong models, most of them texts that were to "
      "be mended, continued or completed.",
      "公开回答（alpaca_eval）：182723 条中 419 条（0.23%），其中 14 条是整个提示词；强模型 34615 条中 41 条，多数是要求修改、续写、补全的文本。"},
     {"Who mends, translates or continues a text begins with it by right. A prompt that is rendered by the server with its template is not the recorded one: "
      "then only a piece is found. Where messages are recorded, all of them are looked through.",
      "修改、翻译、续写一段文字，本来就会以原文开头。服务端套模板渲染后的提示词与记录的不同，只能匹配到其中一段。记录了 messages 的，全部内容都查。"},
     {"`echo: true` in a completions request. A server that sends the prompt in the first event of a stream (vllm#48853). A client that cuts the prompt off "
      "by its length in characters after the tokenizer changed it. A base model that begins anew.",
      "补全请求里写了 `echo: true`。服务端在流的第一个事件里带出提示词（vllm#48853）。客户端按字符数裁掉提示词，而分词后提示词已变。基座模型从头再写一遍。"},
     {"Look at the request for `echo`. Then ask once streamed and once not: a difference is the server's. With ids recorded, compare the first output ids "
      "with the prompt's.",
      "先看请求里有没有 `echo`。再流式、非流式各发一次，不一样就是服务端的问题。记录了 id 的，比较输出开头和提示词的 id。"}}};

}  // namespace vaa
