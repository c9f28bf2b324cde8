// The loop over all samples of an input: read, judge on threads, tally and write in input order.
#pragma once
#include <string>
#include <string_view>

#include "base/task.h"
#include "quality/checker.h"
#include "quality/tally.h"
#include "records/reader.h"
#include "report/report.h"

namespace vaa {

struct CheckRunOptions {
  TallyOptions tally;
  int threads = 1;
  std::string samples_path;   // one JSON line a sample; "" : none
  int samples_fd = -1;        // the same to a descriptor; -1: none
  std::string export_path;    // request lines of samples with export_flag; "" : none
  std::string export_flag;
  std::string baseline_path;  // a run instead of the ceilings; "" : none
  OpenOptions baseline_open;  // how it is opened
};
// From the options of vaa_check_records (JSON). Throws Failure (VAA_ERROR_OPTION).
CheckRunOptions check_run_options(std::string_view json);

// The same report for any number of threads. `task` may be null. Output files are whole or not there.
Report check_run(const Checker& checker, const Input& input, std::string_view path, const CheckRunOptions& options, Task* task);

}  // namespace vaa
