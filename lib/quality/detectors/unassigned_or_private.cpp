// Code points that no font shows: unassigned ones and those of private use (docs/detectors.md).
#include "quality/features.h"

namespace vaa {
namespace {

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  State state = State::kNo;
  for (const TextPart& part : features.parts()) {
    const Scripts& scripts = features.scripts(part);
    if (scripts.odd_count == 0 || features.prompt().contains(part.text.substr(scripts.odd.at, scripts.odd.size))) continue;
    Finding finding = features.place(part, scripts.odd.at, scripts.odd.size);
    finding.severity = Severity::kWarn;
    finding.confidence = scripts.odd_unassigned ? Confidence::kCertain : Confidence::kSuspected;
    finding.count = static_cast<int64_t>(scripts.odd_count);
    findings->push_back(finding);
    state = State::kFound;
  }
  return state;
}

}  // namespace

extern const Detector kUnassignedOrPrivate = {
    "unassigned_or_private", Severity::kWarn, 1.0, -1, detect,
    {"private or unassigned characters", "私用或未分配字符"},
    {"Code points of private use or without a character stand in the text.", "文本中出现了私用区或尚未分配的码位。"}};

}  // namespace vaa
