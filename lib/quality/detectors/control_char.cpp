// Control characters that no text holds: C0 but tab, line feed and carriage return, and DEL (docs/detectors.md).
#include "quality/features.h"

namespace vaa {
namespace {

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  State state = State::kNo;
  for (const TextPart& part : features.parts()) {
    Spot spot = part.odd.control;
    if (spot.count == 0) continue;
    const uint64_t asked = features.prompt().controls() & part.odd.controls;
    if (asked != 0) spot = find_odd_characters(part.text, asked).control;
    if (spot.count == 0) continue;
    Finding finding = features.place(part, spot.first, spot.length);
    finding.count = spot.count;
    findings->push_back(finding);
    state = State::kFound;
  }
  return state;
}

}  // namespace

extern const Detector kControlChar = {
    "control_char", Severity::kFail, 0.001, 5, detect,
    {"control characters", "控制字符"},
    {"The text holds control characters that are no line ends or tabs.", "文本中含有换行和制表符以外的控制字符。"}};

}  // namespace vaa
