// The reasoning never ended, so that there is no answer or the thought was taken for one (docs/detectors.md, docs/records.md).
#include "quality/features.h"

namespace vaa {
namespace {

State detect(const Features& features, std::vector<Finding>* findings) {
  const Thought& thought = features.thought();
  if (thought.unclosed != State::kFound) return thought.unclosed;
  Finding finding = features.place(features.parts()[thought.part == Part::kReasoning ? 1 : 0], thought.onset, thought.length);
  finding.severity = thought.severity;
  finding.confidence = thought.confidence;
  finding.reason = thought.reason;
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kThinkUnclosed = {
    "think_unclosed", Severity::kFail, 0.01, 4, detect,
    {"unclosed thought", "思考未结束"},
    {"The reasoning was begun and never closed; what follows is no answer.", "思考过程开始后没有结束标签，其后的内容不是回答。"}};

}  // namespace vaa
