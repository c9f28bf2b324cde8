// Letters side by side of writing systems that do not mix: look-alikes and wrong pieces of words (docs/detectors.md; the pairs are in text/script_groups.cpp).
#include "quality/features.h"

namespace vaa {
namespace {

constexpr size_t kLeast = 2, kCertain = 4;  // words

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  State state = State::kNo;
  for (const TextPart& part : features.parts()) {
    const Scripts& scripts = features.scripts(part);
    if (scripts.mixed_words < kLeast) continue;
    if (features.prompt().contains(part.text.substr(scripts.mixed.at, scripts.mixed.size))) continue;
    Finding finding = features.place(part, scripts.mixed.at, scripts.mixed.size);
    finding.severity = Severity::kWarn;
    finding.confidence = scripts.mixed_words >= kCertain ? Confidence::kCertain : Confidence::kSuspected;
    finding.count = static_cast<int64_t>(scripts.mixed_words);
    finding.measure = static_cast<double>(scripts.mixed_words);
    finding.threshold = kLeast;
    findings->push_back(finding);
    state = State::kFound;
  }
  return state;
}

}  // namespace

extern const Detector kMixedScriptWord = {
    "mixed_script_word", Severity::kWarn, 1.0, -1, detect,
    {"scripts mixed in words", "词内文字混用"},
    {"Letters of writing systems that do not mix stand side by side within words.", "同一个词里出现了不会混用的文字。"},
    {{"Words in which two letters side by side are of script groups that do not mix; two such words are suspected, four certain. They may touch: Latin with "
      "Han, kana, Hangul, Greek, Thai, Lao, Khmer, Burmese, Tibetan; Han with Hangul and Greek; Latin before an ending in Indic scripts, Armenian, Georgian, "
      "Ethiopic; up to four Arabic or Hebrew letters before Latin. Not counted: a letter behind `\\` or `%`, and a capital behind a small letter, which "
      "begins a name.",
      "一个词里相邻两个字母属于不会混用的文字；2 个这样的词判疑似，4 个判确定。可以相邻的：拉丁字母与汉字、假名、谚文、希腊、泰、老挝、高棉、缅、藏文；汉字与"
      "谚文、希腊；拉丁字母后接印度系文字、亚美尼亚、格鲁吉亚、埃塞俄比亚文词尾；拉丁字母前的至多 4 个阿拉伯或希伯来字母。`\\` 或 `%` 后的字母不算，小写后紧"
      "跟大写（名称的开头）不算。"},
     {"34,615 answers of strong models: 9, all real (8 by one model); 182,723 answers: 14, all read, 12 real, 1 regular expression, 1 name in wrong Thai. "
      "The declaration of human rights: 1 of some 400 texts (Adlam that borrows a Latin letter). Russian fortunes typed with look-alikes: 34 of 1,446, all "
      "true to the letter.",
      "强模型回答 34615 条：9 条，都是真的（8 条出自同一模型）；182723 条：14 条，全部看过，12 条是真的，1 条正则，1 条写错的泰文名称。《世界人权宣言》约 "
      "400 篇：1 篇（借用拉丁字母的阿德拉姆文）。用形近字母录入的俄语段子 1446 段：34 段，字面上确实混用。"},
     {"Keys glued together by extraction, old texts typed with look-alike letters, jokes and passwords are flagged by right of the rule; it is a warning and "
      "fails no run. Not where the prompt holds the first such word. Missed: a single word (foreign_intrusion sees most), and look-alikes of a whole word.",
      "抽取时粘在一起的按键名、用形近字母录入的旧文本、玩笑和口令，按规则会报；它只是警告，不会使运行不通过。提示词自己含这个词的不报。漏报：只有一个词（多半由"
      " foreign_intrusion 看到），以及整词都换成形近字母。"},
     {"Wrong tokens by a hair: the likeliest tokens of other languages win where logits are off a little, by quantisation or a wrong kernel (llama.cpp#7056, "
      "vllm-ascend#13615); models fine-tuned on damaged text do the same by themselves (aligner-2b in alpaca_eval).",
      "只差一点的错词元：logits 因量化或算子有小误差时，别的语言里相近的词元会胜出（llama.cpp#7056、vllm-ascend#13615）；用损坏文本微调的模型自己也会这"
      "样（alpaca_eval 里的 aligner-2b）。"},
     {"Run the same prompts on a reference engine with the same weights and seed and `vaa check RUN --baseline REFERENCE`: there too, it is the "
      "model. Else look at the logprobs of the wrong token: a close second place on the reference points to precision, a far one to a fault.",
      "用同样的权重和 seed 在参照引擎上跑同样的题，再 `vaa check RUN --baseline REFERENCE`：参照也有，就是模型本身。否则看错词元的 logprobs："
      "在参照上紧排第二，是精度问题；差得远，是故障。"}}};

}  // namespace vaa
