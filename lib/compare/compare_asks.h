// The requests that would settle a comparison, as a file that `vaa ask` takes.
#pragma once
#include <string>

#include "base/task.h"
#include "records/reader.h"
#include "report/report.h"

namespace vaa {

// A second pass over the reference: prompt and answer ids up to each first divergence that the report's plan names, one greedy token with its 20 likeliest; else, where answers are too few, each
// question once. Memory: the plan and one sample. `file` is written whole or not at all, and not where there is nothing to ask. Gives a JSON object: "settles", "lines", "left_out" (planned, but not
// in the reference as the report has it), "steps" [{"en", "zh", "command"}] ("" : words alone; REFERENCE and TARGET in a command are URLs), "missing" {"en", "zh"}. Throws Failure (VAA_ERROR_ARGUMENT) for a report that is no comparison.
std::string write_asks(const Report& report, const Input& reference, const std::string& path, const std::string& file, Task* task);

}  // namespace vaa
