// A tool call or a JSON answer was begun and does not parse (docs/detectors.md).
#include "quality/features.h"
#include "quality/json_faults.h"

namespace vaa {
namespace {

// A cut by the limit is the limit's; a habit of the writer outside calls is no damage.
void weigh(const JsonFaults& faults, const Ending& ending, Finding* finding) {
  const bool call = faults.where == JsonFaults::Where::kRecordedCall || faults.where == JsonFaults::Where::kCall;
  if (!faults.required || faults.other_valid) finding->confidence = Confidence::kSuspected;
  if (faults.cut && ending.cut == Ending::Cut::kCertain) {
    finding->severity = Severity::kInfo;
  } else if (faults.cut && ending.cut == Ending::Cut::kUnknown) {
    finding->severity = Severity::kWarn;
    finding->confidence = Confidence::kSuspected;
  } else if (finding->reason == std::string_view("no_arguments") || (!call && (faults.habit || faults.other_valid))) {
    finding->severity = Severity::kWarn;
  }
}

State detect(const Features& features, std::vector<Finding>* findings) {
  const TextPart& text = features.text();
  if (!text.known && !features.has_tool_calls()) return State::kUnknown;
  const JsonFaults faults = find_json_faults(features);
  // Not asked for JSON: a dictionary of Python or an object of JavaScript.
  if (faults.count == 0 || (faults.habit && !faults.required)) return State::kNo;
  Finding finding;
  if (faults.where == JsonFaults::Where::kRecordedCall) finding.part = Part::kSample;
  else finding = features.place(text, faults.at, faults.end - faults.at);
  finding.count = faults.count;
  finding.reason = faults.reason;
  weigh(faults, features.ending(), &finding);
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kJsonInvalid = {
    "json_invalid", Severity::kFail, 0.01, -1, detect,
    {"invalid JSON", "无效 JSON"},
    {"A tool call or a JSON answer was begun and does not parse.", "工具调用或 JSON 回答已开始输出，但无法解析。"}};

}  // namespace vaa
