// include/vaa/calibrate.h
#include "vaa/calibrate.h"

#include <cmath>

#include "align/effective.h"
#include "align/setup_of_run.h"
#include "base/json.h"
#include "base/views.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "sampler/calibration/calibration_run.h"

struct vaa_calibration {
  vaa::sampler::Calibration calibration;
};

using vaa::given;
using vaa::guard;

namespace {

// What the engine of a run makes of what its requests leave out.
void take_effective(const vaa::Input& input, vaa::sampler::CalibrationOptions* options) {
  const vaa::Setup setup = vaa::setup_of_run(input);
  if (setup.engine.empty()) return;
  const vaa::Effective effective = vaa::effective_parameters(setup, "run");
  const auto number = [&](const char* name, double* out) {
    const vaa::EffectiveField& field = effective.field(name);
    vaa::JsonReader json(field.value.text);
    double value = 0;
    if (field.value.known() && field.from != "request" && json.peek() == vaa::JsonKind::kNumber && json.real(&value)) *out = value;
  };
  number("temperature", &options->otherwise.temperature);
  number("top_p", &options->otherwise.top_p);
  number("min_p", &options->otherwise.min_p);
  double top_k = -1;
  number("top_k", &top_k);
  options->otherwise.top_k = top_k >= 0 && top_k < 1e9 ? static_cast<int64_t>(top_k) : -1;
  double repetition = std::nan(""), presence = std::nan(""), frequency = std::nan("");
  number("repetition_penalty", &repetition);
  number("presence_penalty", &presence);
  number("frequency_penalty", &frequency);
  options->penalties_known = !std::isnan(repetition) && !std::isnan(presence) && !std::isnan(frequency);
  options->penalised = (!std::isnan(repetition) && repetition != 1) || (!std::isnan(presence) && presence != 0) || (!std::isnan(frequency) && frequency != 0);
  if (options->engine.empty() && !effective.engine.profile.empty()) vaa::sampler::take_engine(effective.engine.profile, options);
}

}  // namespace

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
    take_effective(*run.input, &read);
    const vaa::sampler::CalibratedInput by = scored ? vaa::sampler::CalibratedInput{scored->input.get(), scored->path} : vaa::sampler::CalibratedInput{};
    *out_report = new vaa_report{vaa::sampler::calibrate_run({run.input.get(), run.path}, by, std::move(read), task ? &task->task : nullptr)};
  });
}

}  // extern "C"
