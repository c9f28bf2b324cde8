// Benchmarks whose score is the mean of their subjects' scores, whatever the subjects' sizes: C-Eval, MMLU.
#pragma once
#include <string>
#include <vector>

#include "records/reader.h"

namespace vaa {

// The group of a dataset whose name is a subject's: "ceval" of "ceval-law", by the scores that a framework's files give and by names that are known; "" : none.
std::string subject_group(const std::string& dataset, const std::vector<TaskScore>& scores);

}  // namespace vaa
