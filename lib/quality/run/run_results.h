// The checks of a run as rows of its report.
#pragma once
#include <vector>

#include "base/json_writer.h"
#include "quality/run/run_features.h"

namespace vaa {

struct RunResult {
  Check check;
  std::vector<Named> samples;  // the first that it names, in input order
};
constexpr size_t kMostNamed = 20;
// One a row of run_check_table(), in its order.
std::vector<RunResult> run_results(const RunFeatures& run);
// "run_findings": of each check that found something, the samples.
void append_run_findings(JsonWriter* json, const RunFeatures& run, const std::vector<RunResult>& results);

}  // namespace vaa
