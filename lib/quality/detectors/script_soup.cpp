// Many writing systems in turn within a line: tokens drawn at random (docs/detectors.md; the windows are in quality/soup_window.h).
#include <algorithm>

#include "quality/features.h"
#include "text/utf8.h"

namespace vaa {
namespace {

constexpr size_t kLeastDense = 90, kLeastThin = 300;
constexpr size_t kQuote = 24;  // bytes of the soup that the prompt is searched for

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  State state = State::kNo;
  for (const TextPart& part : features.parts()) {
    const Soup& soup = features.scripts(part).soup;
    if (soup.dense < kLeastDense && soup.thin < kLeastThin) continue;
    Finding finding = features.place(part, soup.begin, soup.end - soup.begin);
    const bool dense = soup.dense >= kLeastDense;
    finding.measure = static_cast<double>(dense ? soup.dense : soup.thin);
    finding.threshold = static_cast<double>(dense ? kLeastDense : kLeastThin);
    const std::string_view begin = part.text.substr(soup.begin);
    if (features.prompt().contains(begin.substr(0, utf8_floor(begin, kQuote)))) {
      finding.severity = Severity::kInfo;
      finding.reason = "asked";
    }
    findings->push_back(finding);
    state = State::kFound;
  }
  return state;
}

}  // namespace

extern const Detector kScriptSoup = {
    "script_soup", Severity::kFail, 0.001, 5, detect,
    {"soup of scripts", "多种文字混杂"},
    {"Writing systems change every few letters, as in tokens drawn at random.", "几个字就换一种文字，像是随机抽取的词元。"}};

}  // namespace vaa
