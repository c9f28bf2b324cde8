// What the files of a run record that can change its answers.
#pragma once
#include <map>
#include <string>

#include "compare/run_side.h"

namespace vaa {

// Name and value: members of the run header by their path ("engine.version"), settings of samples as "samples.temperature". What answered and how it was asked: model, hashes, engine, hardware,
// sampling, concurrency, tool; flags of a launch command as "engine.launch.block_size". Without what differs in every honest pair (URLs, ports, paths, times, labels) and without results and counters.
// `text`: false leaves out what may hold words of a person.
std::map<std::string, std::string> recorded_settings(const RunSide& side, bool text);

}  // namespace vaa
