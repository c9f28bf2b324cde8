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
constexpr double kSpacedShare = 0.9;        // of letters in scripts that part words by blanks

bool parts_words(uint8_t group) {
  switch (group) {
    case script::kHan: case script::kThai: case script::kLao: case script::kKhmer: case script::kMyanmar: case script::kTibetan: case 41: case 78:  // Yi, Javanese
      return false;
    default:
      return true;
  }
}

bool is_spaced(const Scripts& scripts) {
  size_t spaced = 0;
  for (size_t group = 0; group < script::kGroups; ++group)
    if (parts_words(static_cast<uint8_t>(group))) spaced += scripts.by_group[group];
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
    findings->push_back(finding);
    state = State::kFound;
  }
  return state;
}

}  // namespace

extern const Detector kSpacingAnomaly = {
    "spacing_anomaly", Severity::kWarn, 1.0, -1, detect,
    {"odd spacing", "空格异常"},
    {"Blanks between words were lost, or most of them are doubled.", "单词之间的空格丢失，或大多被写成两个。"}};

}  // namespace vaa
