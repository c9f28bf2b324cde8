// What the files of a run record of how it was made.
#pragma once
#include <map>
#include <string>

#include "compare/run_side.h"

namespace vaa {

// Name and value: members of the run header by their path ("engine.version"), settings of samples as "samples.temperature". Without what differs between any two runs, and results.
// `text`: false leaves out what may hold words of a person.
std::map<std::string, std::string> recorded_settings(const RunSide& side, bool text);

}  // namespace vaa
