#include "quality/excerpt.h"

#include <algorithm>

#include "text/utf8.h"

namespace vaa {

const char* severity_name(Severity severity) {
  return severity == Severity::kFail ? "fail" : severity == Severity::kWarn ? "warn" : "info";
}
const char* confidence_name(Confidence confidence) { return confidence == Confidence::kCertain ? "certain" : "suspected"; }
const char* part_name(Part part) { return part == Part::kText ? "text" : part == Part::kReasoning ? "reasoning" : "sample"; }

std::string_view excerpt_of(const Sample& sample, const Finding& finding, size_t max) {
  std::string_view text = sample.text(finding.part == Part::kReasoning ? TextField::kOutputReasoning : TextField::kOutputText);
  if (finding.part == Part::kSample && text.empty()) text = sample.text(TextField::kOutputReasoning);
  if (text.size() <= max) return text;
  size_t begin = text.size() - max;
  if (finding.onset_byte >= 0) begin = std::min(begin, static_cast<size_t>(finding.onset_byte) - std::min(static_cast<size_t>(finding.onset_byte), max / 4));
  begin = utf8_floor(text, begin);
  return text.substr(begin, utf8_floor(text, begin + max) - begin);
}

}  // namespace vaa
