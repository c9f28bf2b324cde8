// A closing tag of reasoning that nothing opened: the template opened it and no parser took it out (docs/detectors.md).
#include "quality/features.h"

namespace vaa {
namespace {

State detect(const Features& features, std::vector<Finding>* findings) {
  const TextPart& text = features.text();
  if (!text.known) return State::kUnknown;
  int64_t count = text.markup.orphans;
  if (count > 0 && features.prompt_opens_thought()) --count;
  if (count == 0) return State::kNo;
  Finding finding = features.place(text, text.markup.orphan.at, text.markup.orphan.size);
  finding.severity = Severity::kWarn;
  finding.count = count;
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

// Every answer has it where a server runs without its reasoning parser; scorers that look behind the tag are right nevertheless. It is shown and fails no run.
extern const Detector kThinkOrphanClose = {
    "think_orphan_close", Severity::kWarn, 1.0, -1, detect,
    {"closing tag alone", "孤立的思考结束标签"},
    {"A closing reasoning tag stands in the text without an opening one: the reasoning was not taken out.", "文本中只有思考结束标签而没有开始标签：思考内容没有被剥离。"}};

}  // namespace vaa
