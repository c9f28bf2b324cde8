// include/vaa/check.h
#include "vaa/check.h"

#include "base/json_writer.h"
#include "base/options.h"
#include "base/views.h"
#include "capi/finding_record.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "quality/check_run.h"
#include "quality/excerpt.h"
#include "quality/explain.h"
#include "render/render_explain.h"

namespace vaa {
namespace {

std::string flags_json() {
  std::string text;
  JsonWriter json(&text);
  json.begin_array();
  for (const Detector* d : detector_table()) {
    json.begin_object().member("name", d->name).member("severity", severity_name(d->severity)).member("ceiling", d->ceiling);
    json.key("title").begin_object().member("en", d->title.en).member("zh", d->title.zh).end_object();
    json.key("summary").begin_object().member("en", d->summary.en).member("zh", d->summary.zh).end_object().end_object();
  }
  json.end_array();
  return text;
}

}  // namespace
}  // namespace vaa

using vaa::given;
using vaa::guard;

extern "C" {

int32_t vaa_flag_count(void) { return static_cast<int32_t>(vaa::detector_table().size()); }
vaa_str vaa_flag_name(int32_t flag) {
  const auto table = vaa::detector_table();
  return vaa::border(flag >= 0 && static_cast<size_t>(flag) < table.size() ? table[static_cast<size_t>(flag)]->name : "");
}
vaa_status vaa_flags(vaa_text** out_text, vaa_error** err) {
  return guard(err, [&] {
    given(out_text, "out_text");
    *out_text = new vaa_text{vaa::flags_json()};
  });
}
vaa_status vaa_explain(vaa_str name, vaa_str options, vaa_text** out_text, vaa_error** err) {
  return guard(err, [&] {
    given(out_text, "out_text");
    const vaa::RenderOptions form = vaa::render_options(vaa::view(options), "vaa_explain");
    *out_text = new vaa_text{vaa::render_explanation(vaa::explanation_json(vaa::view(name), form.lang == "zh"), form)};
  });
}

vaa_status vaa_checker_new(vaa_str options, const vaa_vocab* vocab, vaa_checker** out_checker, vaa_error** err) {
  return guard(err, [&] {
    given(out_checker, "out_checker");
    *out_checker = new vaa_checker{vaa::Checker(vaa::view(options), vocab ? &vocab->vocab : nullptr)};
  });
}
void vaa_checker_free(vaa_checker* checker) { delete checker; }

vaa_status vaa_tally_new(const vaa_checker* checker, vaa_str options, vaa_tally** out_tally, vaa_error** err) {
  return guard(err, [&] {
    given(out_tally, "out_tally");
    const vaa::Checker& c = given(checker, "checker")->checker;
    const vaa::TallyOptions parsed = vaa::tally_options(vaa::Options(vaa::view(options), vaa::tally_option_table().data(), vaa::tally_option_table().size(), "vaa_tally_new"));
    *out_tally = new vaa_tally{checker, parsed.text, vaa::Tally(c, parsed), c.new_scratch(), {}, {}};
  });
}

vaa_status vaa_tally_push(vaa_tally* tally, const vaa_sample* sample, vaa_findings* out_findings, vaa_error** err) {
  return guard(err, [&] {
    const vaa::Sample& s = given(sample, "sample")->sample;
    given(tally, "tally");
    given(out_findings, "out_findings");
    tally->checker->checker.judge(s, tally->scratch.get(), &tally->judgement);
    tally->tally.add(s, tally->judgement);
    tally->findings.clear();
    for (const vaa::Finding& f : tally->judgement.findings) tally->findings.push_back(vaa::finding_record(f));
    *out_findings = {tally->findings.data(), tally->findings.size(), tally->judgement.unknown};
  });
}

vaa_status vaa_tally_line(const vaa_tally* tally, const vaa_sample* sample, vaa_text** out_text, vaa_error** err) {
  return guard(err, [&] {
    given(out_text, "out_text");
    if (given(tally, "tally")->tally.samples() == 0) vaa::fail(VAA_ERROR_NOT_FOUND, "tally: no sample was pushed yet");
    std::string line;
    vaa::append_sample_line(&line, given(sample, "sample")->sample, tally->judgement, tally->checker->checker, tally->text);
    *out_text = new vaa_text{std::move(line)};
  });
}

vaa_status vaa_tally_report(const vaa_tally* tally, vaa_report** out_report, vaa_error** err) {
  return guard(err, [&] {
    given(out_report, "out_report");
    *out_report = new vaa_report{given(tally, "tally")->tally.report({})};
  });
}
void vaa_tally_free(vaa_tally* tally) { delete tally; }

vaa_status vaa_check_records(const vaa_checker* checker, const vaa_records* records, vaa_str options, vaa_task* task, vaa_report** out_report, vaa_error** err) {
  return guard(err, [&] {
    given(out_report, "out_report");
    vaa::CheckRunOptions parsed = vaa::check_run_options(vaa::view(options));
    parsed.baseline_open = given(records, "records")->open;
    *out_report = new vaa_report{
        vaa::check_run(given(checker, "checker")->checker, *records->input, records->path, parsed, task ? &task->task : nullptr)};
  });
}

}  // extern "C"
