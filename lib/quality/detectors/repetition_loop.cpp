// A unit of the output comes again and again (docs/detectors.md; the rules are in quality/loops.cpp).
#include "quality/features.h"
#include "text/utf8.h"

namespace vaa {
namespace {

void set_tokens(const Run& run, Finding* finding) {
  finding->onset_token = static_cast<int64_t>(run.begin);
  finding->length_tokens = static_cast<int64_t>(run.cover());
  finding->period_tokens = static_cast<int64_t>(run.period);
}

State detect(const Features& features, std::vector<Finding>* findings) {
  for (const Loop& loop : features.loops()) {
    Finding finding;
    if (loop.tokens) {
      finding.part = Part::kSample;
      set_tokens(loop.run, &finding);
    } else {
      const TextPart& part = features.parts()[loop.part == Part::kReasoning ? 1 : 0];
      finding = features.place(part, loop.run.begin, loop.run.cover());
      finding.period_bytes = static_cast<int64_t>(loop.run.period);
      finding.period_chars = static_cast<int64_t>(utf8_count(part.text.substr(loop.run.begin, loop.run.period)));
      if (loop.in_tokens.period != 0) set_tokens(loop.in_tokens, &finding);
    }
    finding.count = static_cast<int64_t>(loop.run.count());
    finding.severity = loop.severity;
    finding.confidence = loop.confidence;
    finding.reason = loop.reason;
    findings->push_back(finding);
  }
  if (!features.loops().empty()) return State::kFound;
  if (!features.ending().by_repetition) return State::kNo;
  Finding finding;
  finding.part = Part::kSample;
  finding.reason = "finish_reason";  // the engine saw it and stopped
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kRepetitionLoop = {
    "repetition_loop", Severity::kFail, 0.01, 3, detect,
    {"looping", "循环重复"},
    {"The output repeats the same piece over and over instead of going on.", "输出一遍又一遍地重复同一段内容，不再向前推进。"}};

}  // namespace vaa
