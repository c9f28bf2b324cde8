// The few bytes of an answer that show a finding, cut at character borders.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "quality/finding.h"
#include "records/sample.h"
#include "text/bounded.h"

namespace vaa {

const char* severity_name(Severity severity);        // "info", "warn", "fail"
const char* confidence_name(Confidence confidence);  // "suspected", "certain"
const char* part_name(Part part);                    // "text", "reasoning", "sample"

// At most `max` bytes of the part: from a little before the onset; without an onset its end. A view into the sample; empty: there is nothing to show.
std::string_view excerpt_of(const Sample& sample, const Finding& finding, size_t max);

}  // namespace vaa
