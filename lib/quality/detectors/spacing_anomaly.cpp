// Blanks between words were lost or doubled (docs/detectors.md; the counts are in quality/spacing.cpp).
#include <algorithm>

#include "quality/features.h"
#include "quality/spacing.h"

namespace vaa {
namespace {

constexpr size_t kLeastLetters = 120;       // of glued words
constexpr double kLettersPerWord = 30;
constexpr size_t kLeastGaps = 15;           // of two blanks
constexpr double kDoubledShare = 0.6;
constexpr double kChord = 3;                // letters a word under which it may be a chord sheet or a row of cells
constexpr double kSpacedShare = 0.9;        // of letters in scripts that part words by blanks

bool is_spaced(const Scripts& scripts) {
  size_t spaced = 0;
  for (size_t group = 0; group < script::kGroups; ++group)
    if (!script::is_unspaced(static_cast<uint8_t>(group))) spaced += scripts.by_group[group];
  return static_cast<double>(spaced) >= kSpacedShare * static_cast<double>(scripts.letters_outside_code());
}

bool prompt_speaks_of_blanks(Prompt& prompt) {
  constexpr std::string_view kWords[] = {"space", "Space", "spacing", "blank", "camel", "hashtag", "one word", "空格", "间隔", "пробел", "Leerzeichen", "espace", "espacio"};
  return std::any_of(std::begin(kWords), std::end(kWords), [&](std::string_view word) { return prompt.text().find(word) != std::string_view::npos; });
}

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  State state = State::kNo;
  for (const TextPart& part : features.parts()) {
    if (part.text.empty() || !may_be_odd_spacing(part.text) || !is_spaced(features.scripts(part))) continue;
    const Spacing spacing = read_spacing(part.text, part.markup.code);
    const double per_word = spacing.words == 0 ? 0 : static_cast<double>(spacing.letters) / static_cast<double>(spacing.words);
    const size_t gaps = spacing.single + spacing.doubled + spacing.wider;
    const double share = gaps == 0 ? 0 : static_cast<double>(spacing.doubled) / static_cast<double>(gaps);
    const bool glued = spacing.letters >= kLeastLetters && per_word > kLettersPerWord;
    const bool doubled = spacing.doubled >= kLeastGaps && share > kDoubledShare;
    if ((!glued && !doubled) || prompt_speaks_of_blanks(features.prompt())) continue;
    const Place place = glued ? spacing.glued : spacing.gap;
    Finding finding = features.place(part, place.at, place.size);
    finding.severity = Severity::kWarn;
    finding.count = static_cast<int64_t>(glued ? spacing.words : spacing.doubled);
    finding.measure = glued ? per_word : share;
    finding.threshold = glued ? kLettersPerWord : kDoubledShare;
    finding.reason = glued ? "lost" : "doubled";
    if (!glued && per_word < kChord) finding.confidence = Confidence::kSuspected;
    findings->push_back(finding);
    state = State::kFound;
  }
  return state;
}

}  // namespace

extern const Detector kSpacingAnomaly = {
    "spacing_anomaly", Severity::kWarn, 1.0, -1, detect,
    {"odd spacing", "空格异常"},
    {"Blanks between words were lost, or most of them are doubled.", "单词之间的空格丢失，或大多被写成两个。"},
    {{"Texts of which 90 % of the letters are of scripts that part words by blanks. Lost: words hold more than 30 letters on the mean, 120 letters in all. "
      "Doubled: 15 gaps of two blanks between words of letters, which are more than 60 % of all gaps; suspected where words have under 3 letters on the mean (chords, cells). Long words that look like data are left out: few "
      "different letters, many capitals, digits or marks, hashtags; so is code.",
      "90% 的字母属于用空格分词的文字。丢失：平均每词超过 30 个字母，共 120 个以上。加倍：词与词之间有 15 处恰为两个空格，且超过全部间隔的 60%；平均每词不到 3 个字母（和弦谱、单元格）的记疑似。像数据的长词"
      "不算：字母种类少，大写、数字、符号多，或话题标签；代码不算。"},
     {"34,615 answers of strong models: 0; 182,723 answers: 5, all read, all real. Documentation, source code, tables, base64, DNA, minified code: a handful "
      "of embedded programs as text. The declaration of human rights: none but in Amharic that parts words by its own mark, which is taken for what it is.",
      "强模型回答 34615 条：0；182723 条：5 条，全部看过，都是真的。文档、源代码、表格、base64、DNA、压缩代码：只有几段以文本嵌入的程序。《世界人权宣言》：没"
      "有；阿姆哈拉语有自己的分词符号，也能认出。"},
     {"Long compounds, URLs, paths, aligned tables and Chinese, Japanese, Thai pass; not where the prompt speaks of spaces or hashtags. Missed: a few glued "
      "words, camel case, gaps of more than two blanks.",
      "长复合词、网址、路径、对齐的表格，以及中文、日文、泰文都不报；提示词谈到空格或话题标签的不报。漏报：只有几个粘连的词、驼峰写法、两个以上空格的间隔。"},
     {"The detokenizer strips or adds the blank that belongs to a token: pieces joined by `' '` (vllm#630), the leading blank of SentencePiece removed from "
      "every piece in streaming, `clean_up_tokenization_spaces` or `skip_special_tokens` paths.",
      "detokenizer 去掉或多加了属于词元的空格：各片段用 `' '` 拼接（vllm#630），流式时每段都去掉 SentencePiece 的前导空格，或走了 "
      "`clean_up_tokenization_spaces`、`skip_special_tokens` 的路径。"},
     {"Decode the ids with the model's own tokenizer and compare; then ask the same prompt streamed and unstreamed. Wrong only in streaming: the incremental "
      "detokenizer; wrong in both: the decoder of the tokenizer.",
      "用模型自带的分词器解码 ids 来比较，再把同一题分别流式和非流式请求。只有流式错，是增量 detokenizer；两者都错，是分词器的 decoder。"}}};

}  // namespace vaa
