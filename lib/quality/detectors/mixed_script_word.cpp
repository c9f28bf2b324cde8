// Letters side by side of writing systems that do not mix: look-alikes and wrong pieces of words (docs/detectors.md; the pairs are in quality/scripts.cpp).
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
    {"Letters of writing systems that do not mix stand side by side within words.", "同一个词里出现了不会混用的文字。"}};

}  // namespace vaa
