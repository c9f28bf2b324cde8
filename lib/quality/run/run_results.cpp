#include "quality/run/run_results.h"

#include <algorithm>
#include <cstddef>

#include "base/figures.h"
#include "quality/ceilings.h"
#include "quality/excerpt.h"

namespace vaa {
namespace {

RunResult run_result(const RunCheck& row, const RunFeatures& run) {
  RunFound found = row.look(run);
  RunResult out;
  out.check = rate_check(run.state(), row.name, {row.title.en, row.title.zh}, found.k, found.n, row.ceiling, {found.of_en, found.of_zh});
  Check& check = out.check;
  if (check.n > 0 && found.k > 0 && !found.certain) check.words = {check.words.en + ", suspected", check.words.zh + "，疑似"};
  if (!found.words.en.empty()) check.words = {check.words.en + "; " + found.words.en, check.words.zh + "；" + found.words.zh};
  if (found.n == 0) check.words = {"could not be tested: " + found.words.en, "无法检测：" + found.words.zh};
  if (!std::isnan(found.p)) check.p = found.p;
  const bool asked = std::string_view(check.ceiling_from) == "fail_on";
  check.gates = asked || (found.certain && row.ceiling < 1);
  const auto named = static_cast<std::ptrdiff_t>(std::min(found.samples.size(), kMostNamed));
  std::partial_sort(found.samples.begin(), found.samples.begin() + named, found.samples.end());
  out.samples.assign(found.samples.begin(), found.samples.begin() + named);
  return out;
}

// Members of the open object.
void append_sample(JsonWriter* json, const RunFeatures& run, uint32_t i) {
  const KeptSample& sample = run.sample(i);
  const KeptTrace& trace = run.trace(i);
  const auto text_or_null = [&](const char* key, std::string_view text) { text.empty() ? json->key(key).null() : json->member(key, bounded(text, kMaxName)); };
  sample.is(KeptSample::kNoId) ? json->key("id").null() : json->member("id", std::string(run.trail().id(trace)));
  json->member("repeat", static_cast<int64_t>(sample.repeat));
  text_or_null("dataset", run.state().datasets[sample.dataset].name);
  json->key("source").begin_object();
  text_or_null("file", run.trail().names().name(trace.file));
  json->key("line");
  trace.line < 0 ? json->null() : json->integer(trace.line);
  json->end_object();
}

}  // namespace

std::vector<RunResult> run_results(const RunFeatures& run) {
  std::vector<RunResult> out;
  for (const RunCheck* row : run_check_table()) out.push_back(run_result(*row, run));
  return out;
}

void append_run_findings(JsonWriter* json, const RunFeatures& run, const std::vector<RunResult>& results) {
  json->key("run_findings").begin_array();
  for (const RunResult& result : results) {
    if (result.samples.empty()) continue;
    json->begin_object().member("check", result.check.name);
    append_said(json, "words", result.check.words);
    json->key("samples").begin_array();
    for (const Named& named : result.samples) {
      json->begin_object();
      append_sample(json, run, named.sample);
      json->key("other");
      if (named.other >= run.size()) {
        json->null();
      } else {
        json->begin_object();
        append_sample(json, run, named.other);
        json->end_object();
      }
      json->end_object();
    }
    json->end_array().end_object();
  }
  json->end_array();
}

}  // namespace vaa
