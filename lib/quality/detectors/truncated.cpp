// The answer was cut before its end (docs/records.md, in that order).
#include <algorithm>

#include "quality/features.h"

namespace vaa {
namespace {

State detect(const Features& features, std::vector<Finding>* findings) {
  const Ending& ending = features.ending();
  Finding finding;
  finding.severity = Severity::kInfo;
  finding.part = Part::kSample;
  if (ending.cut == Ending::Cut::kNo) return State::kNo;
  if (ending.cut == Ending::Cut::kCertain) {
    finding.reason = ending.reason;
  } else {
    const auto runs_on = [](const Loop& loop) { return loop.tail && loop.severity >= Severity::kWarn; };
    finding.confidence = Confidence::kSuspected;
    if (features.thought().unclosed == State::kFound) finding.reason = "open_thought";
    else if (std::any_of(features.loops().begin(), features.loops().end(), runs_on)) finding.reason = "loop";
    else return State::kUnknown;
  }
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kTruncated = {
    "truncated", Severity::kInfo, 0.05, 2, detect,
    {"cut", "被截断"},
    {"The answer was cut off before its end, most often by the length limit.", "回答没有写完就被截断，多半是到了长度上限。"}};

}  // namespace vaa
