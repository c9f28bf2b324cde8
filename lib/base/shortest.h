// The shortest decimal that reads back as the same double.
#pragma once
#include <string>

namespace vaa {

// `value` is finite. In the form of std::to_chars: fixed or scientific, whichever is shorter.
void append_shortest(std::string* out, double value);
// The same by trial, for standard libraries without std::to_chars for doubles (gcc 10): up to 17 conversions.
void append_shortest_by_trial(std::string* out, double value);

}  // namespace vaa
