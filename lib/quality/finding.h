// A flag on a sample with its evidence.
#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace vaa {

enum class Severity : int8_t { kInfo = 1, kWarn = 2, kFail = 3 };
enum class Confidence : int8_t { kSuspected = 1, kCertain = 2 };
enum class Part : int8_t { kText = 0, kReasoning = 1, kSample = 2 };

// -1: does not apply or is not known.
struct Finding {
  int flag = -1;  // index in detector_table()
  Severity severity = Severity::kFail;
  Confidence confidence = Confidence::kCertain;
  Part part = Part::kText;
  int64_t onset_byte = -1, length_bytes = -1;
  int64_t onset_char = -1, length_chars = -1;
  int64_t onset_token = -1, length_tokens = -1;
  int64_t period_bytes = -1, period_chars = -1, period_tokens = -1;
  int64_t count = -1;
  double measure = std::numeric_limits<double>::quiet_NaN();    // the number that decided, and
  double threshold = std::numeric_limits<double>::quiet_NaN();  // what it was held against (docs/detectors.md); NaN: the rule has no such number
  const char* reason = "";  // a word or two from a fixed list, such as "finish_reason", "asked"; static
};

// What stands there has a reason that is no fault.
inline void excuse(Finding* finding, const char* reason) {
  finding->severity = Severity::kInfo;
  finding->reason = reason;
}

}  // namespace vaa
