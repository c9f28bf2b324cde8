// Tally::report: the document of a checked run, docs/report.schema.json.
#include <algorithm>
#include <numeric>

#include "base/json.h"
#include "base/json_writer.h"
#include "quality/ceilings.h"
#include "quality/excerpt.h"
#include "quality/finding_json.h"
#include "quality/lengths.h"
#include "quality/limits.h"
#include "quality/report_parts.h"
#include "quality/run/groups.h"
#include "quality/run/run_results.h"
#include "quality/verdict.h"
#include "quality/without_text.h"

namespace vaa {
namespace {

void append_input(JsonWriter* json, const Tally::State& state, const InputFacts& facts) {
  const auto text_or_null = [&](const char* key, const std::string& text) { text.empty() ? json->key(key).null() : json->member(key, bounded(text, 4 * kMaxName)); };
  json->key("input").begin_object();
  const bool with_text = state.options.text;
  text_or_null("path", with_text ? facts.path : std::string(base_name(facts.path)));
  text_or_null("format", facts.format);
  json->key("run");
  JsonReader header(facts.header ? std::string_view(facts.header->json) : std::string_view());
  if (header.peek() != JsonKind::kObject || !header.skip() || !header.finish()) json->null();
  else json->raw(with_text ? facts.header->json : header_without_text(facts.header->json));
  json->end_object();
  json->key("options").begin_object();
  text_or_null("baseline", state.baseline ? state.baseline_name : state.options.baseline);
  text_or_null("expect", state.options.expect);
  for (const auto& [key, list] : {std::pair{"fail_on", &state.options.fail_on}, std::pair{"require", &state.options.require}}) {
    json->key(key).begin_array();
    for (const std::string& text : *list) json->string(text);
    json->end_array();
  }
  json->member("text", with_text).end_object();
}

void append_verdict(JsonWriter* json, const RunVerdict& verdict) {
  json->key("verdict").begin_object().member("name", verdict_name(verdict.verdict)).member("code", static_cast<int>(verdict.verdict));
  json->member("reason", verdict.reason.en).member("reason_zh", verdict.reason.zh).key("causes").begin_array();
  for (const Cause& cause : verdict.causes) {
    json->begin_object().member("kind", cause.kind).member("name", cause.name);
    append_said(json, "words", cause.words);
    json->end_object();
  }
  json->end_array().end_object();
}

void append_counts(JsonWriter* json, const Tally::State& state, const RunView& view, const MissingQuestions& missing) {
  json->key("counts").begin_object().member("samples", static_cast<int64_t>(state.kept.size())).member("failed", state.failed);
  json->key("missing");
  missing.expected > 0 ? json->integer(missing.total) : json->null();
  json->member("with_output", state.with_output).member("scored", state.with_score).member("broken", state.broken);
  json->member("questions", view.questions()).member("repeats", view.most_repeats()).member("datasets", static_cast<int64_t>(state.datasets.size()));
  json->member("duplicates", view.duplicates()).member("forced", state.forced).member("lines_kept", state.rows).end_object();
}

void append_baseline(JsonWriter* json, const std::optional<BaselineResult>& baseline) {
  json->key("baseline");
  if (!baseline) {
    json->null();
    return;
  }
  json->begin_object().key("name");
  baseline->name.empty() ? json->null() : json->string(bounded(baseline->name, 4 * kMaxName));
  json->member("broken", baseline->broken).member("all", baseline->all).member("pairs", baseline->pairs).key("clean_needed");
  baseline->clean_needed < 0 ? json->null() : json->integer(baseline->clean_needed);
  append_said(json, "words", baseline->words);
  json->key("checks").begin_array();
  for (const Check& check : baseline->checks) append_check(json, check);
  json->end_array().end_object();
}

void append_expect(JsonWriter* json, const std::optional<ExpectResult>& expect) {
  json->key("expect");
  if (!expect) {
    json->null();
    return;
  }
  const auto or_null = [&](const char* key, int64_t n) { n < 0 ? json->key(key).null() : json->member(key, n); };
  json->begin_object().member("published", expect->published).member("published_error", expect->published_error).member("published_n", expect->published_n);
  or_null("repeats_for_a_point", expect->repeats_for_a_point);
  or_null("repeats_for_seen", expect->repeats_for_seen);
  json->key("check");
  append_check(json, expect->check);
  json->end_object();
}

void append_findings(JsonWriter* json, const Shown& shown) {
  json->key("findings").begin_array();
  for (const ShownFinding* f : shown.worst()) {
    const auto text_or_null = [&](const char* key, bool there, const std::string& text) { there ? json->member(key, text) : json->key(key).null(); };
    json->begin_object();
    text_or_null("id", f->has_id, f->id);
    json->member("repeat", f->repeat);
    text_or_null("dataset", f->has_dataset, f->dataset);
    append_finding_members(json, f->finding);
    if (f->has_excerpt) json->member("excerpt", f->excerpt);
    json->key("source").begin_object();
    text_or_null("file", !f->file.empty(), f->file);
    json->key("line");
    f->line < 0 ? json->null() : json->integer(f->line);
    json->end_object().end_object();
  }
  json->end_array();
}

void append_limits(JsonWriter* json, const std::vector<Limit>& limits) {
  json->key("limits").begin_array();
  for (const Limit& limit : limits) {
    json->begin_object().member("what", limit.what).member("n", limit.n).member("of", limit.of).key("flags").begin_array();
    for (const std::string& flag : limit.flags) json->string(flag);
    json->end_array().key("next");
    limit.next.empty() ? json->null() : json->string(bounded(limit.next, 10 * kMaxName));
    json->key("next_kind");
    limit.next.empty() ? json->null() : json->string(limit.next_is_request ? "request" : "command");
    append_said(json, "words", limit.words);
    json->end_object();
  }
  json->end_array();
}

void append_table_names(JsonWriter* json, const std::vector<Table>& tables) {
  json->key("tables").begin_array();
  for (const Table& table : tables) {
    json->begin_object().member("name", table.name).member("rows", static_cast<int64_t>(table.columns[0].values.size())).key("columns").begin_array();
    for (const Column& column : table.columns) json->string(column.name);
    json->end_array().end_object();
  }
  json->end_array();
}

}  // namespace

Report Tally::report(const InputFacts& facts) const {
  const State& state = *state_;
  const RunView view(state);
  const MissingQuestions missing = missing_questions(state, view, facts);
  const std::vector<ScoreRow> scores = score_rows(state, view, facts);
  const RunFeatures run(state, view);
  const std::vector<RunResult> results = run_results(run);
  RunChecks checks{ceiling_checks(state, missing, facts), {}, {}};
  for (const RunResult& result : results) checks.checks.push_back(result.check);
  if (state.baseline || state.gates.baseline) checks.baseline = compare_with_baseline(state);
  if (state.gates.expect) checks.expect = compare_with_published(*state.gates.expect, scores);
  const FlagGroups groups = group_flagged(run);
  const RunVerdict verdict = decide_run(state, checks, facts);
  const Lengths lengths = length_stats(state);
  const std::vector<DatasetRow> datasets = dataset_rows(state, view, missing, facts);
  std::vector<Table> tables = {check_table(checks.checks), length_table(lengths), dataset_table(datasets), group_table(groups)};

  std::string document;
  JsonWriter json(&document);
  json.begin_object().member("schema", "vaa.report/1").member("vaa", VAA_VERSION_STRING);
  append_input(&json, state, facts);
  append_verdict(&json, verdict);
  append_counts(&json, state, view, missing);
  append_account(&json, datasets);
  append_scores(&json, scores);
  append_expect(&json, checks.expect);
  append_baseline(&json, checks.baseline);
  json.key("checks").begin_array();
  for (const Check& check : checks.checks) append_check(&json, check);
  json.end_array();
  append_lengths(&json, lengths, state);
  append_errors(&json, state);
  append_findings(&json, state.shown);
  append_run_findings(&json, run, results);
  append_groups(&json, groups);
  append_problems(&json, state, facts);
  append_limits(&json, run_limits(state, view, facts));
  append_table_names(&json, tables);
  json.end_object();
  return Report(verdict.verdict, std::move(document), std::move(tables), state.lines);
}

}  // namespace vaa
