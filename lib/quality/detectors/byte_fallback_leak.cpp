// Byte tokens of SentencePiece as they stand in the vocabulary, <0xE4>, instead of the bytes (docs/detectors.md).
#include <algorithm>

#include "quality/features.h"
#include "quality/language_names.h"

namespace vaa {
namespace {

constexpr size_t kSize = 6;  // <0xE4>

bool is_hex(char c) { return (c >= '0' && c <= '9') || static_cast<unsigned char>((c | 0x20) - 'a') < 6; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_byte_token(std::string_view text, size_t at) {
  return at + kSize <= text.size() && text.compare(at, 3, "<0x") == 0 && is_hex(text[at + 3]) && is_hex(text[at + 4]) && text[at + 5] == '>';
}

// How else <0x41> is written: quoted, as a cell of a device tree (reg = <0x41>;), in Perl's POD (C<0x41>), and in small letters.
bool is_notation(std::string_view text, size_t at) {
  const char before = at > 0 ? text[at - 1] : ' ', after = at + kSize < text.size() ? text[at + kSize] : ' ';
  const auto quote = [](char c) { return c == '"' || c == '\''; };
  const bool pod = is_capital(before) && (at < 2 || static_cast<unsigned char>((text[at - 2] | 0x20) - 'a') >= 26);
  const size_t word = text.substr(0, at).find_last_not_of(' ');
  const bool cell = after == ';' || (word != std::string_view::npos && text[word] == '=');
  const auto small = [&](size_t i) { return text[i] >= 'a' && text[i] <= 'f'; };
  return (quote(before) && quote(after)) || pod || cell || small(at + 3) || small(at + 4);
}

struct Leak {
  int64_t count = 0;
  bool row = false;  // two stand side by side, as the bytes of a character do
  Place first;
};

Leak find_leak(std::string_view text, std::span<const Place> places) {
  Leak leak;
  auto code = places.begin();
  for (size_t at = text.find("<0x"); at != std::string_view::npos; at = text.find("<0x", at)) {
    while (code != places.end() && code->at + code->size <= at) ++code;
    size_t end = at;
    if (code == places.end() || code->at > at)
      while (is_byte_token(text, end)) end += kSize;
    const bool row = end > at + kSize;
    if (end > at && (row || !is_notation(text, at))) {
      if (leak.count == 0) leak.first = {at, end - at};
      leak.count += static_cast<int64_t>((end - at) / kSize);
      leak.row = leak.row || row;
    }
    at = std::max(end, at + 1);
  }
  return leak;
}

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  State state = State::kNo;
  for (const TextPart& part : features.parts()) {
    const Leak leak = find_leak(part.text, part.markup.code);
    if (leak.count == 0 || features.prompt().contains(part.text.substr(leak.first.at, kSize))) continue;
    Finding finding = features.place(part, leak.first.at, leak.first.size);
    finding.count = leak.count;
    if (!leak.row) finding.confidence = Confidence::kSuspected;
    if (prompt_speaks_of_tokens(features.prompt())) excuse(&finding, "asked");
    findings->push_back(finding);
    state = State::kFound;
  }
  return state;
}

}  // namespace

extern const Detector kByteFallbackLeak = {
    "byte_fallback_leak", Severity::kFail, 0.001, 5, detect,
    {"byte tokens as text", "字节回退泄漏"},
    {"Byte tokens stand as text (<0xE4>) instead of the bytes that they mean.", "字节词元以文本形式（<0xE4>）出现，而没有还原为字节。"},
    {{"`<0xE4>` outside code and not in the prompt. Two side by side are certain, as the bytes of a character are; one alone is suspected. One alone is none "
      "where it is quoted, in small hexadecimal letters, behind `=` or before `;` (device trees), or behind a single capital (Perl's POD).",
      "代码以外、提示词里没有的 `<0xE4>`。两个相连判确定，一个字符的各字节就是这样；单独一个判疑似。单独一个若带引号、用小写十六进制、在 `=` 之后或 `;` 之前（"
      "设备树）、紧跟单个大写字母（Perl 的 POD），不算。"},
     {"217,000 answers, the declaration of human rights, tables and logs: 0. 85,000 pieces of raw source code and documentation without fences: 7 suspected, "
      "all in Perl's manual or device trees, where this is how bytes are written.",
      "217000 条回答、《世界人权宣言》、表格、日志：0。没有代码围栏的源代码和文档 85000 段：7 段疑似，都在 Perl 手册或设备树里，那里字节本来就这样写。"},
     {"Talk about tokenizers in code spans passes. Missed: nothing that shows, but a detokenizer that drops such tokens leaves replacement_char or nothing.",
      "在代码样式里谈论分词器不报。能看到的都不会漏；若 detokenizer 直接丢掉这类词元，只会留下 U+FFFD（见 replacement_char）或什么都没有。"},
     {"The detokenizer prints byte tokens of SentencePiece by their names instead of collecting the bytes (cactus#684, sherpa-onnx#2524); or tokens are "
      "joined one by one without the byte decoder of the tokenizer.",
      "detokenizer 把 SentencePiece 的字节词元按名字打印，而没有收集字节（cactus#684、sherpa-onnx#2524）；或逐个拼接词元，没有经过分词器的字节解码。"},
     {"Decode the output ids of one such answer with the model's own tokenizer: right there, it is the server's detokenizer. Compare streamed and unstreamed "
      "answers; a difference is in the incremental path.",
      "用模型自带的分词器解码其中一条的输出 ids：结果正确，就是服务端 detokenizer 的问题。再比较流式和非流式：有差别，问题在增量解码。"}}};

}  // namespace vaa
