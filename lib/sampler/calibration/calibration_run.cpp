#include "sampler/calibration/calibration_run.h"

namespace vaa::sampler {
namespace {

void add_all(const Input& input, int64_t before, Task* task, Calibration* calibration) {
  const auto stream = input.open();
  stream->watch(task);
  Sample sample;
  while (stream->next(&sample)) {
    calibration->add(sample);
    if (!task) continue;
    task->check();
    task->done.store(before + stream->bytes_done(), std::memory_order_relaxed);
    task->samples.fetch_add(1, std::memory_order_relaxed);
  }
  calibration->problems += stream->problems().count + input.problems().count;
}

}  // namespace

CalibrationOptions calibrate_run_options(std::string_view json, std::string_view what) {
  const auto table = calibration_option_table();
  return calibration_options(Options(json, table.data(), table.size(), what));
}

Report calibrate_run(const CalibratedInput& run, const CalibratedInput& scored, CalibrationOptions options, Task* task) {
  options.scored = scored.input != nullptr;
  const int64_t first = run.input->bytes_total();
  if (task) task->total.store(first + (scored.input ? scored.input->bytes_total() : 0), std::memory_order_relaxed);
  Calibration calibration(std::move(options));
  calibration.path = run.path, calibration.scored_path = scored.path;
  add_all(*run.input, 0, task, &calibration);
  if (scored.input) add_all(*scored.input, first, task, &calibration);
  return calibration.report();
}

}  // namespace vaa::sampler
