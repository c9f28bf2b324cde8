// The few bytes of an answer that show a finding, cut at character borders.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "quality/finding.h"
#include "records/sample.h"

namespace vaa {

const char* severity_name(Severity severity);        // "info", "warn", "fail"
const char* confidence_name(Confidence confidence);  // "suspected", "certain"
const char* part_name(Part part);                    // "text", "reasoning", "sample"

// At most `max` bytes of the part: from a little before the onset; without an onset its end. A view into the sample; empty: there is nothing to show.
std::string_view excerpt_of(const Sample& sample, const Finding& finding, size_t max);

// At most `max` bytes of a name, with "…" where more was there. For ids, datasets, paths and messages of hostile length.
std::string bounded(std::string_view text, size_t max);
constexpr size_t kMaxName = 200;      // in a report
constexpr size_t kMaxLineName = 4096;  // in the lines of single samples, which are joined by id

}  // namespace vaa
