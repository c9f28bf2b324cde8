// The loop over the samples of two inputs: read, judge on threads, keep in input order.
#pragma once
#include <string>
#include <string_view>

#include "base/task.h"
#include "compare/comparison.h"
#include "records/reader.h"

namespace vaa {

struct CompareRunOptions {
  ComparisonOptions comparison;
  int threads = 1;
};
// From the options of vaa_compare_records (JSON). Throws Failure (VAA_ERROR_OPTION).
CompareRunOptions compare_run_options(std::string_view json);

struct ComparedInput {
  const Input& input;
  const std::string& path;
};
// The same report for any number of threads. `task` may be null.
Report compare_runs(const Checker& checker, const ComparedInput& reference, const ComparedInput& target, const CompareRunOptions& options, Task* task);

}  // namespace vaa
