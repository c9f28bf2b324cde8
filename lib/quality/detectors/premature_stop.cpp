// The model stopped in the middle of a sentence or of a tool call (docs/detectors.md).
#include "quality/features.h"
#include "quality/json_faults.h"
#include "quality/unfinished.h"

namespace vaa {
namespace {

bool is_number(std::string_view text) { return text.find_first_not_of("0123456789") == std::string_view::npos; }

// The answer's own end: half a call, or half a sentence.
State find(const Features& features, Finding* finding) {
  const TextPart& text = features.text();
  const JsonFaults faults = find_json_faults(features);
  if (faults.cut && faults.where != JsonFaults::Where::kFence) {
    if (faults.where == JsonFaults::Where::kRecordedCall) finding->part = Part::kSample;
    else *finding = features.place(text, faults.at, faults.end - faults.at);
    finding->reason = "open_json";
    return State::kFound;
  }
  if (!text.known || features.has_tool_calls() || features.thought().unclosed == State::kFound) return text.known ? State::kNo : State::kUnknown;
  const size_t begin = text.markup.answer_begin;
  const Unfinished unfinished = find_unfinished(text.text, begin, begin + features.answer().size(), text.markup.code);
  if (!unfinished) return State::kNo;
  *finding = features.place(text, unfinished.at, unfinished.size);
  finding->confidence = unfinished.certain ? Confidence::kCertain : Confidence::kSuspected;
  finding->reason = unfinished.reason;
  return State::kFound;
}

State detect(const Features& features, std::vector<Finding>* findings) {
  const Ending& ending = features.ending();
  if (ending.cut == Ending::Cut::kCertain || (ending.cut == Ending::Cut::kNo && !ending.by_itself)) return State::kNo;
  Finding finding;
  const State state = find(features, &finding);
  if (state != State::kFound) return state;
  if (ending.cut == Ending::Cut::kUnknown) return State::kUnknown;  // the limit may have cut it
  finding.severity = Severity::kWarn;
  const std::string_view stop = features.sample().text(TextField::kStopReason);
  if (!stop.empty() && !is_number(stop)) {
    finding.confidence = Confidence::kSuspected;
    finding.reason = "stop_string";
  }
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kPrematureStop = {
    "premature_stop", Severity::kWarn, 1.0, -1, detect,
    {"stopped too early", "提前停止"},
    {"The model ended its answer by itself in the middle of a sentence or of a tool call.", "模型在句子或工具调用的中途自行结束了回答。"}};

}  // namespace vaa
