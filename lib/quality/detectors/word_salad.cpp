// Words without grammar: hardly any word comes twice (docs/detectors.md).
#include <algorithm>

#include "quality/features.h"

namespace vaa {
namespace {

// The prompt asks for words, not for sentences.
bool asks_words(std::string_view prompt) {
  constexpr std::string_view kWords[] = {"nouns", "adjectives", "verbs", "synonyms", "antonyms", "hashtags", "keywords", "vocabulary", "anagrams", "list of words", "random words",
                                         "word list", "名词", "动词", "形容词", "词语", "词汇", "单词", "关键词", "标签", "成语"};
  return std::any_of(std::begin(kWords), std::end(kWords), [&](std::string_view word) { return prompt.find(word) != std::string_view::npos; });
}

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  const Ending& ending = features.ending();
  State state = State::kNo;
  for (const TextPart& part : features.parts()) {
    if (part.text.size() < WordWindows::kWindow) continue;
    const WordWindows& words = features.words(part);
    if (words.flat == 0 || (words.flat == 1 && words.windows > 1)) continue;
    if (words.flat == 1 && ending.cut != Ending::Cut::kCertain) {
      if (ending.cut == Ending::Cut::kUnknown && state == State::kNo) state = State::kUnknown;
      continue;
    }
    Finding finding = features.place(part, words.begin, words.end - words.begin);
    finding.count = static_cast<int64_t>(words.flat);
    finding.measure = static_cast<double>(words.repeats);
    finding.threshold = static_cast<double>(WordWindows::kRepeats);
    if (ending.cut != Ending::Cut::kCertain && asks_words(features.prompt().text())) {
      finding.severity = Severity::kInfo;
      finding.reason = "asked";
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
    {"Words follow each other without grammar: hardly any of them comes twice.", "词语一个接一个，没有语法：几乎没有一个词出现第二次。"}};

}  // namespace vaa
