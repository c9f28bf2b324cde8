// A word of another writing system within a text that is otherwise of one (docs/detectors.md; the runs are in quality/scripts.cpp).
#include <algorithm>

#include "quality/features.h"
#include "quality/language_names.h"

namespace vaa {
namespace {

constexpr double kLeastShare = 0.97;

// What stands within a text of `host` by right: Latin anywhere, Greek as symbols.
bool is_guest(const Intrusion& one) { return one.guest != script::kLatin && one.guest != script::kGreek; }

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  State state = State::kNo;
  for (const TextPart& part : features.parts()) {
    const Scripts& scripts = features.scripts(part);
    if (scripts.intrusions[0].count == 0) continue;
    const auto letters = static_cast<double>(scripts.letters_outside_code());
    for (const Intrusion& one : scripts.intrusions) {
      if (one.count == 0 || !is_guest(one)) continue;
      const double share = static_cast<double>(scripts.by_group[one.host]) / letters;
      if (share < kLeastShare || prompt_speaks_of(features.prompt(), one.guest)) continue;
      Finding finding = features.place(part, one.first.at, one.first.size);
      finding.severity = one.touching ? Severity::kWarn : Severity::kInfo;
      const bool certain = features.prompt().recorded() && one.touching && one.host == script::kLatin;
      finding.confidence = certain ? Confidence::kCertain : Confidence::kSuspected;
      finding.count = static_cast<int64_t>(one.count);
      finding.measure = share;
      finding.threshold = kLeastShare;
      findings->push_back(finding);
      state = State::kFound;
    }
  }
  return state;
}

}  // namespace

extern const Detector kForeignIntrusion = {
    "foreign_intrusion", Severity::kWarn, 1.0, -1, detect,
    {"foreign word", "异文插入"},
    {"A word of another writing system stands in the middle of a text that is of one.", "单一文字的文本中间插入了另一种文字的词。"},
    {{"97 % of the letters outside code are of one script; a run of at most 8 letters of another (not Latin, not Greek) directly touches a letter of the text"
      ", or stands between blanks, in a line that is not for a quarter of that script. Touching Latin with a recorded prompt is certain, all else suspected; "
      "words between blanks are info.",
      "代码以外 97% 的字母属于一种文字；另一种文字（拉丁、希腊除外）的不超过 8 个字母的一段，直接挨着正文字母，或前后都是空格，且这一行里该文字不到四分之一。"
      "记录了提示词且挨着拉丁字母的判确定，其余判疑似；前后都是空格的词，判提示。"},
     {"34,615 answers of strong models: some 160 with a warning, about 100 read, all real, most by two models. 182,723 answers: 1,247 findings, of which 25 "
      "drawn at random were read, 24 real (one explained a foreign name). Source code and documentation in English: 18 of some 70,000 pieces, mostly tests "
      "of UTF-8; partly translated manuals: 2 of 19,400.",
      "强模型回答 34615 条：约 160 条有警告，看过约 100 条，都是真的，多数出自两个模型。182723 条：1247 处，随机看过 25 处，24 处是真的（另一处在解释外国人名"
      "）。英文源代码和文档约 70000 段：18 段，多为 UTF-8 的测试；只译了一部分的手册 19400 段：2 段。"},
     {"Quoted or bracketed words, code, units and symbols, Chinese with English terms pass. Silent where the prompt holds the script, names the language or "
      "a country that writes it, or speaks of translation. Missed: more than 8 letters (lang_drift), and wrong words in the same script.",
      "带引号、括号的词，代码，单位和符号，夹英文术语的中文都不报。提示词里有这种文字、提到这种语言或使用它的国家、提到翻译的，不报。漏报：超过 8 个字母的（见 "
      "lang_drift），以及同一种文字的错词。"},
     {"A token of another language that means the same wins by a small error of the logits: low-bit quantisation or a kernel that loses precision ("
      "vllm-ascend#13615, not tied to a prompt; vllm-ascend#13719). Chinese-trained models do it by themselves at temperature 1, about 3 in 100 of "
      "Qwen1.5-110B in alpaca_eval.",
      "logits 有小误差时，另一种语言里同义的词元胜出：低比特量化，或算子丢了精度（vllm-ascend#13615，与提示词无关；vllm-ascend#13719）。以中文为主训练的模型"
      "在温度为 1 时自己也会：alpaca_eval 里 Qwen1.5-110B 约 3%。"},
     {"Compare its rate with that of the same model at higher precision or on a reference engine: `vaa check RUN --baseline OTHER`. A rate that rises with "
      "the same weights and sampling is the engine's. Then look whether onsets cluster in position, rank or batch size.",
      "与同一模型更高精度或参照引擎上的比率相比：`vaa check RUN --baseline OTHER`。权重和采样都没变而比率上升，就是引擎的问题；再看起点是否集中在某个位置、"
      "rank 或 batch 大小。"}}};

}  // namespace vaa
