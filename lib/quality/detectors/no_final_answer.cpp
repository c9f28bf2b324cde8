// The prompt asked for an answer of some form and none stands outside the reasoning, or the reasoning never ended (docs/detectors.md).
#include "quality/asks.h"
#include "quality/features.h"

namespace vaa {
namespace {

State found(const char* reason, Confidence confidence, std::vector<Finding>* findings) {
  Finding finding;
  finding.severity = Severity::kWarn;
  finding.confidence = confidence;
  finding.part = Part::kSample;
  finding.reason = reason;
  findings->push_back(finding);
  return State::kFound;
}

State detect(const Features& features, std::vector<Finding>* findings) {
  const Thought& thought = features.thought();
  if (thought.unclosed == State::kFound && thought.severity == Severity::kFail) return found("open_thought", thought.confidence, findings);
  if (features.has_tool_calls()) return State::kNo;
  if (!features.text().known || !features.prompt().recorded()) return State::kUnknown;
  const Asks asks = read_asks(features.prompt().text());
  const std::string_view answer = features.answer();
  if (asks.boxed && !has_boxed(answer)) return found("boxed", Confidence::kCertain, findings);
  if (asks.json && !has_json(answer)) return found("json", Confidence::kSuspected, findings);
  if (asks.letter && !asks.boxed && !asks.json && !has_letter_answer(answer)) return found("letter", Confidence::kSuspected, findings);
  return State::kNo;
}

}  // namespace

// A weak model does not keep to a form that it was asked for: this alone says nothing about the engine. It is shown and fails no run.
extern const Detector kNoFinalAnswer = {
    "no_final_answer", Severity::kWarn, 1.0, -1, detect,
    {"no final answer", "没有最终答案"},
    {"The prompt asks for an answer of a certain form and the visible text holds none.", "题目要求按指定形式给出答案，可见文本中却没有。"}};

}  // namespace vaa
