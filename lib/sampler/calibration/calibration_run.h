// The loop over the samples of a run, and of the run that scores it.
#pragma once
#include <string>
#include <string_view>

#include "base/task.h"
#include "records/reader.h"
#include "sampler/calibration/calibration.h"

namespace vaa::sampler {

struct CalibratedInput {
  const Input* input = nullptr;
  std::string path;
};
// From the options of vaa_calibrate_records (JSON). Throws Failure (VAA_ERROR_OPTION).
CalibrationOptions calibrate_run_options(std::string_view json, std::string_view what);
// scored.input null: the run's own lists. `task` may be null.
Report calibrate_run(const CalibratedInput& run, const CalibratedInput& scored, CalibrationOptions options, Task* task);

}  // namespace vaa::sampler
