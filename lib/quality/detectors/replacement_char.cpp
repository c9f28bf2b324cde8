// U+FFFD in the output: bytes of characters were lost on the way from tokens to text (docs/detectors.md).
#include "quality/features.h"

namespace vaa {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  State state = State::kNo;
  for (const TextPart& part : features.parts()) {
    const Spot& spot = part.odd.replacement;
    if (spot.count == 0 || features.prompt().contains(kReplacement)) continue;
    Finding finding = features.place(part, spot.first, spot.length);
    finding.count = spot.count;
    if (spot.count == 1 && part.odd.ends_in_replacement && excused_as_cut(features.ending(), &finding)) continue;
    findings->push_back(finding);
    state = State::kFound;
  }
  return state;
}

}  // namespace

extern const Detector kReplacementChar = {
    "replacement_char", Severity::kFail, 0.001, 5, detect,
    {"replacement characters", "替换字符 U+FFFD"},
    {"Replacement characters (U+FFFD) stand where the text was decoded from incomplete bytes.", "出现替换字符 U+FFFD：文本由不完整的字节解码而来。"}};

}  // namespace vaa
