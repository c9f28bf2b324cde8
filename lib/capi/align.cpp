// include/vaa/align.h
#include "vaa/align.h"

#include "align/align.h"
#include "align/setup_of_run.h"
#include "base/views.h"
#include "capi/guard.h"
#include "capi/handles.h"

using vaa::given;
using vaa::guard;
using vaa::view;

extern "C" {

vaa_status vaa_align(vaa_str reference, vaa_str target, vaa_report** out_report, vaa_error** err) {
  return guard(err, [&] {
    given(out_report, "out_report");
    *out_report = new vaa_report{vaa::align({vaa::read_setup(view(reference), "reference"), vaa::read_setup(view(target), "target")})};
  });
}

vaa_status vaa_effective_parameters(vaa_str setup, vaa_text** out_text, vaa_error** err) {
  return guard(err, [&] {
    given(out_text, "out_text");
    *out_text = new vaa_text{vaa::effective_json(vaa::effective_parameters(vaa::read_setup(view(setup), "setup"), "setup"))};
  });
}

vaa_status vaa_setup_of_script(vaa_str script, vaa_text** out_text, vaa_error** err) {
  return guard(err, [&] {
    given(out_text, "out_text");
    *out_text = new vaa_text{vaa::setup_json(vaa::setup_of_script(view(script)))};
  });
}

vaa_status vaa_setup_of_records(const vaa_records* records, vaa_text** out_text, vaa_error** err) {
  return guard(err, [&] {
    given(out_text, "out_text");
    *out_text = new vaa_text{vaa::setup_json(vaa::setup_of_run(*given(records, "records")->input))};
  });
}

int32_t vaa_defaults_count(void) { return static_cast<int32_t>(vaa::defaults_data().size()); }
vaa_str vaa_defaults_name(int32_t index) { return index >= 0 && index < vaa_defaults_count() ? vaa::border(vaa::defaults_data()[static_cast<size_t>(index)].name) : vaa_str{"", 0}; }

}  // extern "C"
