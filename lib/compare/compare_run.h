// The loop over the samples of two inputs: read, judge on threads, keep in input order.
#pragma once
#include <array>
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
// Runs by role, null where one is not given; the first two are. Read side by side, by shares of their bytes, so that few answers wait for their partners. The same report for any number of
// threads. `task` may be null.
using ComparedInputs = std::array<const ComparedInput*, kRunRoles>;
Report compare_runs(const Checker& checker, const ComparedInputs& inputs, const CompareRunOptions& options, Task* task);

}  // namespace vaa
