// The answer goes on in another language than the prompt's (docs/detectors.md): another script in windows of letters, or another language of the same script in windows of
// words.
#include <algorithm>
#include <array>

#include "quality/features.h"
#include "quality/language_names.h"
#include "quality/languages.h"

namespace vaa {
namespace {

constexpr size_t kLeastPromptLetters = 8;   // Han counts four, Hangul two
constexpr size_t kLatinPart = 5;            // Latin is at home where it is a fifth of the prompt, or words of a language stand in it
constexpr size_t kLeastLatinWindows = 2;
constexpr size_t kFirstWords = 60, kWindowWords = 50, kLeastWindows = 2;
constexpr size_t kLastWords = 30;           // of a last window that is not full
constexpr size_t kLeastLatinLetters = 450;  // of kFirstWords and two windows, about
constexpr size_t kLeastPromptWords = 20, kMaxPromptWords = 1000;

size_t weight(uint8_t group) { return group == script::kHan ? 4 : group == script::kHangul ? 2 : 1; }

// The text of the answer outside code, in its pieces.
template <typename Read>
void each_piece(const TextPart& part, Read read) {
  const size_t begin = std::min(part.markup.answer_begin, part.text.size()), end = std::min(part.markup.open_at, part.text.size());
  size_t at = begin;
  for (const Place& place : part.markup.code) {
    if (place.at > at && at < end) read(at, std::min(place.at, end));
    at = std::max(at, place.at + place.size);
  }
  if (at < end) read(at, end);
}

struct PromptScripts {
  uint8_t group = script::kNone;  // of most letters, by weight
  size_t letters = 0;             // by weight
  bool latin_at_home = false;
};
PromptScripts prompt_scripts(Prompt& prompt) {
  Scripts scripts;
  read_scripts(prompt.text(), Markup(), &scripts);
  PromptScripts out;
  size_t most = 0;
  for (size_t group = 1; group < script::kGroups; ++group) {
    const size_t letters = scripts.by_group[group] * weight(static_cast<uint8_t>(group));
    out.letters += letters;
    if (letters > most) {
      most = letters;
      out.group = static_cast<uint8_t>(group);
    }
  }
  WordCounts counts;
  size_t at = 0;
  counts.read(prompt.text(), &at, kMaxPromptWords);
  out.latin_at_home = scripts.by_group[script::kLatin] * kLatinPart >= out.letters || counts.any();
  return out;
}

// The words of the answer from `from` on are prose of a known language: Latin in a text of another script may be names, code or commands.
bool is_prose(const TextPart& part, size_t from) {
  WordCounts counts;
  each_piece(part, [&](size_t begin, size_t end) {
    size_t at = std::max(begin, from);
    if (at < end && counts.words() < kWindowWords) counts.read(part.text.substr(0, end), &at, kWindowWords - counts.words());
  });
  return counts.language() != Language::kUnclear;
}

bool detect_script(const Features& features, std::vector<Finding>* findings) {
  const TextPart& part = features.text();
  const Scripts& scripts = features.scripts(part);
  if (scripts.filled[0].windows == 0) return false;
  Prompt& prompt = features.prompt();
  const PromptScripts asked = prompt_scripts(prompt);
  if (asked.letters < kLeastPromptLetters) return false;
  for (const Filling& one : scripts.filled) {
    if (one.windows == 0 || one.group == asked.group) continue;
    if (one.group == script::kLatin) {
      if (one.windows < kLeastLatinWindows || asked.latin_at_home || prompt_speaks_of_languages(prompt) || prompt_names_latin(prompt)) continue;
      if (!is_prose(part, one.begin)) continue;
    } else if (prompt_speaks_of(prompt, one.group)) {
      continue;
    }
    Finding finding = features.place(part, one.begin, std::min(part.markup.open_at, part.text.size()) - one.begin);
    finding.severity = Severity::kWarn;
    const bool begun = scripts.filled[0].group == asked.group, to_the_end = scripts.last_filled == one.group;
    finding.confidence = begun && to_the_end ? Confidence::kCertain : Confidence::kSuspected;
    finding.count = static_cast<int64_t>(one.windows);
    finding.measure = static_cast<double>(one.windows);
    finding.threshold = one.group == script::kLatin ? kLeastLatinWindows : 1;
    finding.reason = "script";
    findings->push_back(finding);
    return true;
  }
  return false;
}

struct Drift {
  Language base = Language::kUnclear;       // of the first words
  Language other = Language::kUnclear;      // of windows behind them, the first such
  size_t windows = 0, base_windows = 0;     // of the other, and of the base
  size_t begin = 0;                         // of the first window of the other
};

void add_window(const WordCounts& window, size_t begin, bool first, Drift* drift) {
  const Language language = window.language();
  if (first) {
    drift->base = language;
  } else if (language == drift->base) {
    ++drift->base_windows;
  } else if (language != Language::kUnclear && (drift->other == Language::kUnclear || language == drift->other) && window.hits(drift->base) * 2 <= window.hits(language)) {
    if (drift->windows++ == 0) drift->begin = begin;
    drift->other = language;
  }
}

Drift read_drift(const TextPart& part) {
  Drift drift;
  WordCounts window;
  size_t begin = 0, wanted = kFirstWords;
  each_piece(part, [&](size_t from, size_t end) {
    for (size_t at = from; at < end;) {
      if (window.words() == 0) begin = at;
      window.read(part.text.substr(0, end), &at, wanted - window.words());
      if (window.words() < wanted) break;
      add_window(window, begin, wanted == kFirstWords, &drift);
      if (drift.base == Language::kUnclear) return;
      window = WordCounts();
      wanted = kWindowWords;
    }
  });
  if (wanted == kWindowWords && window.words() >= kLastWords) add_window(window, begin, false, &drift);
  return drift;
}

Language prompt_language(Prompt& prompt) {
  WordCounts counts;
  size_t at = 0;
  counts.read(prompt.text(), &at, kMaxPromptWords);
  return counts.words() >= kLeastPromptWords ? counts.language() : Language::kUnclear;
}

bool detect_words(const Features& features, std::vector<Finding>* findings) {
  const TextPart& part = features.text();
  if (features.scripts(part).by_group[script::kLatin] < kLeastLatinLetters) return false;
  const Drift drift = read_drift(part);
  if (drift.base == Language::kUnclear) return false;
  Prompt& prompt = features.prompt();
  const Language asked = prompt_language(prompt);
  const bool drifted = drift.windows >= kLeastWindows && drift.other != asked;
  const bool other_from_the_start = !drifted && asked != Language::kUnclear && drift.base != asked && drift.base_windows >= kLeastWindows && drift.windows == 0;
  const Language language = drifted ? drift.other : drift.base;
  if ((!drifted && !other_from_the_start) || prompt_speaks_of_languages(prompt) || prompt_names(prompt, language)) return false;
  const size_t begin = drifted ? drift.begin : std::min(part.markup.answer_begin, part.text.size());
  Finding finding = features.place(part, begin, std::min(part.markup.open_at, part.text.size()) - begin);
  finding.severity = Severity::kWarn;
  finding.confidence = drifted && asked == drift.base ? Confidence::kCertain : Confidence::kSuspected;
  finding.count = static_cast<int64_t>(drifted ? drift.windows : drift.base_windows);
  finding.measure = static_cast<double>(finding.count);
  finding.threshold = kLeastWindows;
  finding.reason = drifted ? "words" : "words_from_start";
  findings->push_back(finding);
  return true;
}

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.text().known || !features.prompt().recorded()) return State::kUnknown;
  return detect_script(features, findings) || detect_words(features, findings) ? State::kFound : State::kNo;
}

}  // namespace

extern const Detector kLangDrift = {
    "lang_drift", Severity::kWarn, 1.0, -1, detect,
    {"other language", "语言漂移"},
    {"The answer goes on in a language that the prompt neither is in nor asks for.", "回答换成了提示词既未使用、也未要求的语言。"}};

}  // namespace vaa
