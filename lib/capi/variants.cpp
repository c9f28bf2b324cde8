// include/vaa/variants.h
#include "vaa/variants.h"

#include "base/views.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "compare/compare_asks.h"
#include "compare/variants.h"

struct vaa_variants {
  vaa::Variants variants;
};

using vaa::given;
using vaa::guard;

extern "C" {

vaa_status vaa_variants_new(vaa_str options, vaa_variants** out_variants, vaa_error** err) {
  return guard(err, [&] {
    given(out_variants, "out_variants");
    *out_variants = new vaa_variants{vaa::Variants(vaa::variant_options(vaa::view(options)))};
  });
}

vaa_status vaa_variants_push(vaa_variants* variants, vaa_str name, const vaa_report* report, vaa_error** err) {
  return guard(err, [&] { given(variants, "variants")->variants.push(std::string(vaa::view(name)), given(report, "report")->report); });
}

vaa_status vaa_variants_report(const vaa_variants* variants, vaa_report** out_report, vaa_error** err) {
  return guard(err, [&] {
    given(out_report, "out_report");
    *out_report = new vaa_report{given(variants, "variants")->variants.report()};
  });
}
void vaa_variants_free(vaa_variants* variants) { delete variants; }

vaa_status vaa_compare_asks(const vaa_report* report, const vaa_records* reference, vaa_str path, vaa_task* task, vaa_text** out_plan, vaa_error** err) {
  return guard(err, [&] {
    given(out_plan, "out_plan");
    const vaa_records& from = *given(reference, "reference");
    *out_plan = new vaa_text{vaa::write_asks(given(report, "report")->report, *from.input, from.path, std::string(vaa::view(path)), task ? &task->task : nullptr)};
  });
}

}  // extern "C"
