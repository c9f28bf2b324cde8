// A word of another writing system within a text that is otherwise of one (docs/detectors.md; the runs are in quality/scripts.cpp).
#include <algorithm>

#include "quality/features.h"
#include "quality/language_names.h"

namespace vaa {
namespace {

constexpr double kLeastShare = 0.97;
constexpr size_t kLeastApart = 2;  // words between blanks that are more than a curiosity

// What stands within a text of `host` by right: Latin anywhere, Greek as symbols.
bool is_guest(const Intrusion& one) { return one.guest != script::kLatin && one.guest != script::kGreek; }

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  State state = State::kNo;
  for (const TextPart& part : features.parts()) {
    const Scripts& scripts = features.scripts(part);
    if (scripts.intrusions[0].count == 0) continue;
    const auto letters = static_cast<double>(scripts.letters_outside_code());
    for (const Intrusion& one : scripts.intrusions) {
      if (one.count == 0 || !is_guest(one)) continue;
      const double share = static_cast<double>(scripts.by_group[one.host]) / letters;
      if (share < kLeastShare || prompt_speaks_of(features.prompt(), one.guest)) continue;
      Finding finding = features.place(part, one.first.at, one.first.size);
      finding.severity = one.touching || one.count >= kLeastApart ? Severity::kWarn : Severity::kInfo;
      const bool certain = features.prompt().recorded() && one.touching && one.host == script::kLatin;
      finding.confidence = certain ? Confidence::kCertain : Confidence::kSuspected;
      finding.count = static_cast<int64_t>(one.count);
      finding.measure = share;
      finding.threshold = kLeastShare;
      findings->push_back(finding);
      state = State::kFound;
    }
  }
  return state;
}

}  // namespace

extern const Detector kForeignIntrusion = {
    "foreign_intrusion", Severity::kWarn, 1.0, -1, detect,
    {"foreign word", "异文插入"},
    {"A word of another writing system stands in the middle of a text that is of one.", "单一文字的文本中间插入了另一种文字的词。"}};

}  // namespace vaa
