// Words without grammar: hardly any word comes twice (docs/detectors.md).
#include <algorithm>
#include <utility>

#include "quality/features.h"

namespace vaa {
namespace {

// The prompt asks for words, not for sentences.
bool asks_words(std::string_view prompt) {
  constexpr std::string_view kWords[] = {"nouns", "adjectives", "verbs", "synonyms", "antonyms", "hashtags", "keywords", "vocabulary", "anagrams", "list of words", "random words",
                                         "word list", "名词", "动词", "形容词", "词语", "词汇", "单词", "关键词", "标签", "成语"};
  return std::any_of(std::begin(kWords), std::end(kWords), [&](std::string_view word) { return prompt.find(word) != std::string_view::npos; });
}

// It may have asked for names or items.
bool speaks_of_lists(std::string_view prompt) {
  constexpr std::string_view kWords[] = {"list", "List", "names", "Names", "列出", "列表", "名字", "清单"};
  return std::any_of(std::begin(kWords), std::end(kWords), [&](std::string_view word) { return prompt.find(word) != std::string_view::npos; });
}

struct Salad {
  FlatWindows::Stretch found;
  size_t threshold = 0;
  bool would = false;  // if the answer was cut
};

// Two flat windows; of an answer that was cut also the last, and the only one.
Salad find_salad(const WordWindows& windows, bool cut) {
  Salad out;
  for (const auto& [read, rule] : {std::pair{&windows.words, WordWindows::kWords}, std::pair{&windows.pairs, WordWindows::kPairs}}) {
    const bool only = read->windows == 1 && read->longest.flat == 1;
    const FlatWindows::Stretch& alone = only ? read->longest : read->last;
    const FlatWindows::Stretch& found = read->longest.flat >= 2 ? read->longest : cut ? alone : FlatWindows::Stretch{};
    out.would |= alone.flat > 0;
    if (found.flat > 0 && found.end - found.begin > out.found.end - out.found.begin) out.found = found, out.threshold = rule.repeats;
  }
  return out;
}

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  const Ending& ending = features.ending();
  State state = State::kNo;
  for (const TextPart& part : features.parts()) {
    if (part.text.size() < WordWindows::kWords.window) continue;
    const Salad salad = find_salad(features.words(part), ending.cut == Ending::Cut::kCertain);
    if (salad.found.flat == 0) {
      if (salad.would && ending.cut == Ending::Cut::kUnknown && state == State::kNo) state = State::kUnknown;
      continue;
    }
    Finding finding = features.place(part, salad.found.begin, salad.found.end - salad.found.begin);
    finding.count = static_cast<int64_t>(salad.found.flat);
    finding.measure = static_cast<double>(salad.found.repeats);
    finding.threshold = static_cast<double>(salad.threshold);
    if (ending.cut != Ending::Cut::kCertain && asks_words(features.prompt().text())) {
      excuse(&finding, "asked");
    } else if (ending.cut != Ending::Cut::kCertain && speaks_of_lists(features.prompt().text())) {
      finding.severity = Severity::kWarn;
      finding.confidence = Confidence::kSuspected;
      finding.reason = "list";
    }
    findings->push_back(finding);
    state = State::kFound;
  }
  return state;
}

}  // namespace

extern const Detector kWordSalad = {
    "word_salad", Severity::kFail, 0.001, 5, detect,
    {"word salad", "词语堆砌"},
    {"Words follow each other without grammar: hardly any of them comes twice.", "词语一个接一个，没有语法：几乎没有一个词出现第二次。"},
    {{"Windows of 120 words, 60 apart (words of letters; no numbers; not Thai, Lao, Khmer, Burmese, Tibetan, Yi), outside code. A window is flat where at "
      "most 5 of its words came before in it, which is where its ten most frequent words make up an eighth at most. Han and Kana: windows of 240 pairs of "
      "neighbouring characters, 120 apart, at most 10 of which came before. Two flat windows in a row, of which the second may end with the last word if it "
      "begins half a step behind the first; of an answer that was cut, the only window, or the one that ends with the last word. Not where one word of six "
      "(one character of twelve) begins a line or follows a comma and the like, nor blocks of letters of one length; where the answer was not cut, info if the prompt asks for words, a "
      "suspected warning if it speaks of a list or of names.",
      "每 120 个词一个窗口，步长 60（词只含字母；数字不计；泰、老、高棉、缅、藏、彝文不看），代码不看。窗口里最多 5 个词在其中出现过（等价于最常见的"
      "十个词至多占八分之一）即为平坦。汉字和假名：每 240 对相邻的字一个窗口，步长 120，最多 10 对出现过。连续两个平坦窗口，第二个可以是以最后一个"
      "词结尾、比前一个晚半步以上的窗口；被截断的回答，唯一的窗口或以最后一个词结尾的窗口平坦即可。六个词（十二个字）里有一个在行首或逗号之类后面的、等长字母块"
      "的不算；没被截断时，提示词要的就是词的只判提示，提示词提到列表或名字的记疑似警告。"},
     {"Published answers (alpaca_eval): 176 of 182,723, all of one model (baichuan-13b-chat) whose answers decay into lists of nouns; 34,615 of strong "
      "models: 0, even if all count as cut. Universal Declaration in some 500 languages: 0. Manuals: 0 of 24,002; source code: 0 of 21,596; DNA, poems of "
      "the Tang, word lists: 0. In 7,000 windows of Chinese and Japanese manuals at least 15 pairs come again; in random tokens of a vocabulary 3, in 99 of "
      "100 at most 10. Planted: 97 % of 301 to 600 random tokens of one script, half of 180 to 300.",
      "公开回答（alpaca_eval）：182723 条中 176 条，全部来自同一模型（baichuan-13b-chat），回答退化成名词串；强模型 3"
      "4615 条：0，即使都算被截断也是 0。约 500 种语言的《世界人权宣言》：0。手册 24002 段：0；源代码 21596 段：0；DNA、唐诗、"
      "词表：0。中文、日文手册的 7000 个窗口里重复的字对至少 15 个；词表里随机抽词元，一般 3 个，百分之九十九不超过 10 个。植入：同一"
      "文字的随机词元 301 到 600 个，找到 97%；180 到 300 个，找到一半。"},
     {"Lists of names with blanks between them (LAPACK's functions); fifty stories of ten words (passes by its line ends). Missed: salad of under 120 words, of digits, with "
      "a comma every few words, or drawn from few words (low_diversity); of many scripts, see script_soup.",
      "只用空格隔开的名字清单（如 LAPACK 函数名）；“五十个十词故事”（靠换行放过）。漏报：不足 120 词的、数字的、几个词一个逗号的、用词很少的（low_diversity）；多种文字混杂"
      "的见 script_soup。"},
     {"Hidden states or logits of the wrong row or rank: glued pieces of Latin words (EAGLE#258), an all-reduce that is missing (vllm-ascend#9488, #10557), "
      "wrong dequantisation scales (vllm-ascend#2318). A repetition or frequency penalty so high that function words are used up: nouns alone remain. Temperature "
      "far over 1.",
      "隐藏状态或 logits 取错行、取错 rank：拉丁词碎片粘连（EAGLE#258）；少一次 all-reduce（vllm-ascend#9488、#10557）；反量化 scale 错（vllm-ascend#2318）"
      "。重复惩罚或频率惩罚太高，虚词被用尽，只剩名词。温度远高于 1。"},
     {"Look at the penalties and the temperature that the requests carried first. Then `vaa check RUN --export word_salad --export-out again.jsonl`, and "
      "send those again at temperature 0 without penalties: gone, it was the sampling; still there, compare logprobs with a reference engine from the onset "
      "on.",
      "先看请求带的惩罚参数和温度。再用 `vaa check RUN --export word_salad --export-out again.jsonl` 导出，温度 0、不带惩罚重发：消失则是采样问题；还在，"
      "就从起点开始与参照引擎比 logprobs。"}}};

}  // namespace vaa
