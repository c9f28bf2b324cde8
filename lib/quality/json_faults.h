// Tool calls and JSON answers of a sample that do not parse: what json_invalid reports and premature_stop looks at (docs/detectors.md).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/json.h"

namespace vaa {

class Features;

// Memory of the search through recorded tool calls.
struct JsonFaultMemory {
  JsonReader reader{std::string_view()};
  std::string arguments;
};

struct JsonFaults {
  enum class Where : uint8_t { kRecordedCall, kCall, kAnswer, kFence } where = Where::kAnswer;  // of the first
  int64_t count = 0;         // values and calls that are wrong
  const char* reason = "";   // of the first: a fault of json_shape.h, incomplete (its end tag or fence came first), no_arguments (an empty string)
  bool cut = false;          // the text ends inside the first
  bool habit = false;        // the first is what JavaScript or Python would take
  bool required = false;     // the prompt asks for JSON, or it is a tool call
  bool other_valid = false;  // another fence beside the first is right
  size_t at = 0, end = 0;    // bytes: what is wrong, the end of its value or call. Not of recorded calls
};

// Linear in the output; the prompt is read only where the answer looks like JSON.
JsonFaults find_json_faults(const Features& features);

}  // namespace vaa
