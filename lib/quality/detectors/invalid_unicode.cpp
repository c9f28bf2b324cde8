// Bytes or code points that are no text: invalid UTF-8, lone surrogates, noncharacters (docs/detectors.md).
#include "quality/features.h"

namespace vaa {
namespace {

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  State state = State::kNo;
  for (const TextPart& part : features.parts()) {
    const Spot& spot = part.odd.invalid;
    if (spot.count == 0 || features.prompt().contains(part.text.substr(spot.first, spot.length))) continue;
    Finding finding = features.place(part, spot.first, spot.length);
    finding.count = spot.count;
    if (part.odd.unfinished > 0 && spot.first + part.odd.unfinished >= part.text.size() && excused_as_cut(features.ending(), &finding)) continue;
    findings->push_back(finding);
    state = State::kFound;
  }
  return state;
}

}  // namespace

extern const Detector kInvalidUnicode = {
    "invalid_unicode", Severity::kFail, 0.001, 5, detect,
    {"invalid Unicode", "非法 Unicode"},
    {"The text holds bytes that are no UTF-8, lone surrogates or code points that are no characters.", "文本中含有非法 UTF-8 字节、孤立代理项或非字符码点。"}};

}  // namespace vaa
