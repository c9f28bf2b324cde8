// include/vaa/report.h
#include "vaa/report.h"

#include "base/views.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "base/write_file.h"
#include "render/render.h"

namespace vaa {
namespace {

std::string rendered(const vaa_report* report, vaa_str json) {
  return render(report->report, render_options(view(json), "vaa_report_render"));
}

}  // namespace
}  // namespace vaa

extern "C" {

vaa_str vaa_text_str(const vaa_text* text) { return text ? vaa::border(text->text) : vaa_str{"", 0}; }
vaa_status vaa_text_new(vaa_str text, vaa_text** out_text, vaa_error** err) {
  return vaa::guard(err, [&] {
    vaa::given(out_text, "out_text");
    *out_text = new vaa_text{std::string(vaa::view(text))};
  });
}
void vaa_text_free(vaa_text* text) { delete text; }

int32_t vaa_report_verdict(const vaa_report* report) { return report ? static_cast<int32_t>(report->report.verdict()) : VAA_VERDICT_NOT_CHECKED; }

vaa_status vaa_report_number(const vaa_report* report, vaa_str pointer, double* out_number, vaa_error** err) {
  return vaa::guard(err, [&] {
    const double number = vaa::given(report, "report")->report.number(vaa::view(pointer));
    *vaa::given(out_number, "out_number") = number;
  });
}

vaa_status vaa_report_column(const vaa_report* report, vaa_str table, vaa_str column, vaa_f64s* out_column, vaa_error** err) {
  return vaa::guard(err, [&] {
    const auto& values = vaa::given(report, "report")->report.column(vaa::view(table), vaa::view(column));
    *vaa::given(out_column, "out_column") = vaa_f64s{values.data(), values.size()};
  });
}

vaa_status vaa_report_render(const vaa_report* report, vaa_str options, vaa_text** out_text, vaa_error** err) {
  return vaa::guard(err, [&] {
    vaa::given(out_text, "out_text");
    *out_text = new vaa_text{vaa::rendered(vaa::given(report, "report"), options)};
  });
}

vaa_status vaa_report_write(const vaa_report* report, vaa_str path, vaa_str options, vaa_error** err) {
  return vaa::guard(err, [&] {
    vaa::AtomicFile file{std::string(vaa::view(path))};
    file.write(vaa::rendered(vaa::given(report, "report"), options));
    file.commit();
  });
}

vaa_str vaa_report_samples(const vaa_report* report) { return report ? vaa::border(report->report.sample_lines()) : vaa_str{"", 0}; }

vaa_status vaa_report_from_json(vaa_str json, vaa_report** out_report, vaa_error** err) {
  return vaa::guard(err, [&] { *vaa::given(out_report, "out_report") = new vaa_report{vaa::report_from_json(vaa::view(json))}; });
}

void vaa_report_free(vaa_report* report) { delete report; }

}  // extern "C"
