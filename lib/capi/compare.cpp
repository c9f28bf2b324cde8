// include/vaa/compare.h
#include "vaa/compare.h"

#include "base/views.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "compare/compare_run.h"

struct vaa_comparison {
  const vaa_checker* checker;
  vaa::Comparison comparison;
  vaa::ScratchPointer scratch;
  vaa::Judgement judgement;
};

using vaa::given;
using vaa::guard;

extern "C" {

vaa_status vaa_comparison_new(const vaa_checker* checker, vaa_str options, vaa_comparison** out_comparison, vaa_error** err) {
  return guard(err, [&] {
    given(out_comparison, "out_comparison");
    const vaa::Checker& c = given(checker, "checker")->checker;
    const auto table = vaa::comparison_option_table();
    *out_comparison = new vaa_comparison{checker, vaa::Comparison(c, vaa::comparison_options(vaa::Options(vaa::view(options), table.data(), table.size(), "vaa_comparison_new"))), c.new_scratch(), {}};
  });
}

vaa_status vaa_comparison_push(vaa_comparison* comparison, int32_t side, const vaa_sample* sample, vaa_error** err) {
  return guard(err, [&] {
    given(comparison, "comparison");
    const vaa::Sample& s = given(sample, "sample")->sample;
    comparison->checker->checker.judge(s, comparison->scratch.get(), &comparison->judgement);
    comparison->comparison.add(side, s, comparison->judgement);
  });
}

vaa_status vaa_comparison_report(const vaa_comparison* comparison, vaa_report** out_report, vaa_error** err) {
  return guard(err, [&] {
    given(out_report, "out_report");
    *out_report = new vaa_report{given(comparison, "comparison")->comparison.report()};
  });
}
void vaa_comparison_free(vaa_comparison* comparison) { delete comparison; }

vaa_status vaa_compare_records(const vaa_checker* checker, const vaa_records* reference, const vaa_records* target, const vaa_records* reference_again, const vaa_records* target_again, vaa_str options, vaa_task* task, vaa_report** out_report, vaa_error** err) {
  return guard(err, [&] {
    given(out_report, "out_report");
    const vaa::Checker& c = given(checker, "checker")->checker;
    given(reference, "reference");
    given(target, "target");
    std::vector<vaa::ComparedInput> held;
    held.reserve(vaa::kRunRoles);
    vaa::ComparedInputs inputs{};
    const vaa_records* const runs[] = {reference, target, reference_again, target_again};
    for (size_t role = 0; role < std::size(runs); ++role) {
      if (runs[role]) inputs[role] = &held.emplace_back(vaa::ComparedInput{*runs[role]->input, runs[role]->path});
    }
    *out_report = new vaa_report{vaa::compare_runs(c, inputs, vaa::compare_run_options(vaa::view(options)), task ? &task->task : nullptr)};
  });
}

}  // extern "C"
