// include/vaa/calibrate.h
#include "vaa/calibrate.h"

#include "base/views.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "compare/run_draws.h"
#include "sampler/calibration/calibration_run.h"

struct vaa_calibration {
  vaa::sampler::Calibration calibration;
};

using vaa::given;
using vaa::guard;

extern "C" {

vaa_status vaa_calibration_new(vaa_str options, vaa_calibration** out_calibration, vaa_error** err) {
  return guard(err, [&] {
    given(out_calibration, "out_calibration");
    *out_calibration = new vaa_calibration{vaa::sampler::Calibration(vaa::sampler::calibrate_run_options(vaa::view(options), "vaa_calibration_new"))};
  });
}

vaa_status vaa_calibration_push(vaa_calibration* calibration, const vaa_sample* sample, vaa_error** err) {
  return guard(err, [&] { given(calibration, "calibration")->calibration.add(given(sample, "sample")->sample); });
}

vaa_status vaa_calibration_report(const vaa_calibration* calibration, vaa_report** out_report, vaa_error** err) {
  return guard(err, [&] {
    given(out_report, "out_report");
    *out_report = new vaa_report{given(calibration, "calibration")->calibration.report()};
  });
}
void vaa_calibration_free(vaa_calibration* calibration) { delete calibration; }

vaa_status vaa_calibrate_records(const vaa_records* records, const vaa_records* scored, vaa_str options, vaa_task* task, vaa_report** out_report, vaa_error** err) {
  return guard(err, [&] {
    given(out_report, "out_report");
    const vaa_records& run = *given(records, "records");
    auto read = vaa::sampler::calibrate_run_options(vaa::view(options), "vaa_calibrate_records");
    vaa::take_effective(*run.input, &read);
    const vaa::sampler::CalibratedInput by = scored ? vaa::sampler::CalibratedInput{scored->input.get(), scored->path} : vaa::sampler::CalibratedInput{};
    *out_report = new vaa_report{vaa::sampler::calibrate_run({run.input.get(), run.path}, by, std::move(read), task ? &task->task : nullptr)};
  });
}

}  // extern "C"
