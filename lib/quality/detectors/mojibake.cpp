// UTF-8 read as another encoding (docs/detectors.md; the search is in quality/mojibake_scan.cpp).
#include "quality/features.h"
#include "quality/language_names.h"
#include "quality/mojibake_scan.h"

namespace vaa {
namespace {

constexpr double kThreshold = 0.6;

const char* name(ReadAs read_as) {
  switch (read_as) {
    case ReadAs::kGbk: return "read_as_gbk";
    case ReadAs::kShiftJis: return "read_as_shift_jis";
    case ReadAs::kWindows1251: return "read_as_windows_1251";
    case ReadAs::kKoi8: return "read_as_koi8";
    default: return "read_as_windows_1252";
  }
}

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  State state = State::kNo;
  for (const TextPart& part : features.parts()) {
    const Mojibake& mojibake = features.scripts(part).mojibake;
    if (!mojibake.found || mojibake.read_as == ReadAs::kByteLevel) continue;
    Finding finding = features.place(part, mojibake.place.at, mojibake.place.size);
    finding.count = static_cast<int64_t>(mojibake.sequences);
    finding.measure = mojibake.share;
    finding.threshold = kThreshold;
    finding.reason = name(mojibake.read_as);
    if (prompt_speaks_of_encodings(features.prompt())) {
      finding.severity = Severity::kInfo;
      finding.reason = "asked";
    }
    findings->push_back(finding);
    state = State::kFound;
  }
  return state;
}

}  // namespace

extern const Detector kMojibake = {
    "mojibake", Severity::kFail, 0.001, 5, detect,
    {"mojibake", "乱码"},
    {"UTF-8 was read as another encoding, such as Latin-1 or GBK.", "UTF-8 文本被当作 Latin-1、GBK 等其他编码读取。"}};

}  // namespace vaa
