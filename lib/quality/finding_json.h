// What a report and the lines of single samples say of a finding in the same words.
#pragma once
#include "base/json_writer.h"
#include "quality/finding.h"
#include "records/sample.h"

namespace vaa {

// flag, severity, confidence, part, and the evidence that is known, as members of the open object.
void append_finding_members(JsonWriter* json, const Finding& finding);
// "source": {format, file, line}, null where not recorded.
void append_source(JsonWriter* json, const Sample& sample, bool with_text);

}  // namespace vaa
