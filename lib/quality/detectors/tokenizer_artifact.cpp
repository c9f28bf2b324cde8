// Tokens as they stand in the vocabulary: Ġ and Ċ of byte-level BPE, ▁ of SentencePiece, and byte-level letters for everything beyond ASCII (docs/detectors.md).
#include <algorithm>

#include "quality/features.h"
#include "quality/language_names.h"
#include "quality/mojibake_scan.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace vaa {
namespace {

constexpr int64_t kLeastBytePieces = 3, kLeastSentencePieces = 2;
constexpr uint32_t kBlank = 0x120, kLineFeed = 0x10A, kSentencePiece = 0x2581;  // Ġ Ċ ▁

bool is_upper(const Utf8Step& step) { return step.valid && code_properties(step.code).category == Category::kUpper; }
bool is_text(const Utf8Step& step) { return step.valid && step.size != 0 && is_letter(step.code); }
bool is_mark(uint32_t code) { return code == kBlank || code == kLineFeed; }

struct Marks {
  int64_t byte_level = 0, sentence_piece = 0;
  Place first, last;
};

// Ġ and Ċ between letters of which one is no capital (Maltese writes both letters), or beside one another; ▁ before a letter.
Marks find_marks(std::string_view text, std::span<const Place> code) {
  Marks marks;
  auto place = code.begin();
  Utf8Step before;
  for (size_t at = 0; at < text.size();) {
    while (place != code.end() && place->at + place->size <= at) ++place;
    if (place != code.end() && place->at <= at) {
      at = place->at + place->size;
      before = {};
      continue;
    }
    const Utf8Step step = utf8_step(text, at);
    if (step.valid && (is_mark(step.code) || step.code == kSentencePiece)) {
      const Utf8Step after = utf8_step(text, at + step.size);
      const bool between = is_text(before) && is_text(after) && !(is_upper(before) && is_upper(after) && !is_mark(after.code));
      const bool piece = step.code == kSentencePiece && is_text(after);
      if (piece || (is_mark(step.code) && between)) {
        ++(piece ? marks.sentence_piece : marks.byte_level);
        if (marks.first.size == 0) marks.first = {at, step.size};
        marks.last = {at, step.size};
      }
    }
    before = step;
    at += step.size;
  }
  return marks;
}

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  State state = State::kNo;
  const auto add = [&](const TextPart& part, Place place, int64_t count, int64_t threshold, const char* reason) {
    if (features.prompt().contains(part.text.substr(place.at, utf8_step(part.text, place.at).size))) return;
    Finding finding = features.place(part, place.at, place.size);
    finding.count = count;
    finding.measure = static_cast<double>(count);
    finding.threshold = static_cast<double>(threshold);
    finding.reason = reason;
    if (prompt_speaks_of_tokens(features.prompt())) excuse(&finding, "asked");
    findings->push_back(finding);
    state = State::kFound;
  };
  for (const TextPart& part : features.parts()) {
    const Scripts& scripts = features.scripts(part);
    if (scripts.token_marks >= static_cast<size_t>(kLeastSentencePieces)) {
      const Marks marks = find_marks(part.text, part.markup.code);
      const Place place = {marks.first.at, marks.last.at + marks.last.size - marks.first.at};
      if (marks.byte_level >= kLeastBytePieces) {
        add(part, place, marks.byte_level, kLeastBytePieces, "byte_level");
        continue;
      }
      if (marks.sentence_piece >= kLeastSentencePieces) add(part, place, marks.sentence_piece, kLeastSentencePieces, "sentencepiece");
    }
    const Mojibake& mojibake = features.scripts(part).mojibake;
    if (mojibake.found && mojibake.read_as == ReadAs::kByteLevel) add(part, mojibake.place, static_cast<int64_t>(mojibake.sequences), kLeastBytePieces, "byte_level");
  }
  return state;
}

}  // namespace

extern const Detector kTokenizerArtifact = {
    "tokenizer_artifact", Severity::kFail, 0.001, 5, detect,
    {"raw tokens", "词元原文泄漏"},
    {"Tokens stand as they are in the vocabulary (Ġ, Ċ, ▁) instead of the text that they mean.", "词元按词表中的原样（Ġ、Ċ、▁）输出，而没有还原为文本。"},
    {{"Outside code: 3 times Ġ or Ċ between letters (not between two capitals), or 2 times ▁ directly before a letter; or the letters by which byte-level "
      "BPE writes bytes, as in `ä½łå¥½` for 你好: 3 characters of UTF-8 that are 60 % of all bytes beyond ASCII, or 6 in one place that are 80 % there.",
      "代码以外：Ġ 或 Ċ 夹在字母之间 3 次（两侧都是大写的不算），或 ▁ 紧接字母之前 2 次；或 byte-level BPE 表示字节的字母，如 `ä½łå¥½` 即“你好”：还原后是 3 "
      "个 UTF-8 字符且占全部非 ASCII 字节的 60%，或一处有 6 个、占该处的 80%。"},
     {"217,000 answers, the declaration of human rights (with Maltese, which writes Ġ), documentation, source code, tables: 0. Planted in 36 texts of 27 "
      "languages: 107 of 108 places, with as little as 60 characters of it.",
      "217000 条回答、《世界人权宣言》（含使用 Ġ 的马耳他语）、文档、源代码、表格：0。植入 27 种语言的 36 篇文本：108 段找到 107 段，最短的只有 60 个字符。"},
     {"Maltese, sparklines of ▁▂▃ and answers that show tokens in code pass; not where the prompt holds the mark. Missed: one or two marks, and Ġ before "
      "capitals only.",
      "马耳他语、▁▂▃ 迷你图、在代码里展示词元的回答都不报；提示词里有这种标记的不报。漏报：只有一两个标记，以及只在大写之间的 Ġ。"},
     {"The text is joined from the names of tokens and not decoded (distributed-llama#142, llama.cpp#2743): `convert_ids_to_tokens` where `decode` is needed,"
      " a tokenizer loaded without its decoder, a vocabulary converted wrongly.",
      "文本由词元的名字拼成而没有解码（distributed-llama#142、llama.cpp#2743）：该用 `decode` 却用了 `convert_ids_to_tokens`，加载的分词器没有 decoder，词"
      "表转换有误。"},
     {"Decode the output ids with the model's own tokenizer: right there, the server's detokenizer is wrong. Check that its `tokenizer.json` holds a decoder "
      "and that the conversion of the vocabulary kept it.",
      "用模型自带的分词器解码输出 ids：结果正确，就是服务端 detokenizer 有误。检查 `tokenizer.json` 里有没有 decoder，词表转换时是否保留了它。"}}};

}  // namespace vaa
