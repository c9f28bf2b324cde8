// A finding as the record of the border.
#pragma once
#include "quality/finding.h"
#include "vaa/check.h"

namespace vaa {

inline vaa_finding finding_record(const Finding& f) {
  return {f.flag,         static_cast<int32_t>(f.severity), static_cast<int32_t>(f.confidence), static_cast<int32_t>(f.part), f.onset_byte,
          f.length_bytes, f.onset_char, f.length_chars, f.onset_token, f.length_tokens, f.period_bytes, f.period_chars, f.period_tokens, f.count, f.measure, f.threshold};
}

}  // namespace vaa
