// One sample's result as a JSON line: docs/sample-result.schema.json.
#include "base/json_writer.h"
#include "quality/excerpt.h"
#include "quality/finding_json.h"
#include "quality/tally.h"
#include "quality/without_text.h"

namespace vaa {
namespace {

constexpr size_t kMostFindings = 200;  // of one sample in its line; findings_left_out counts the rest

void name_member(JsonWriter* json, const char* key, const Sample& sample, TextField field) {
  json->key(key);
  sample.has(field) ? json->string(bounded(sample.text(field), kMaxLineName)) : json->null();
}
void number_member(JsonWriter* json, const char* key, int64_t value) {
  if (value >= 0) json->member(key, value);
}
void flag_list(JsonWriter* json, const char* key, uint64_t bits) {
  json->key(key).begin_array();
  const auto table = detector_table();
  for (size_t i = 0; i < table.size(); ++i) {
    if (bits >> i & 1) json->string(table[i]->name);
  }
  json->end_array();
}

}  // namespace

void append_finding_members(JsonWriter* json, const Finding& f) {
  json->member("flag", detector_table()[static_cast<size_t>(f.flag)]->name).member("severity", severity_name(f.severity));
  json->member("confidence", confidence_name(f.confidence)).member("part", part_name(f.part));
  if (f.reason[0] != '\0') json->member("reason", f.reason);
  number_member(json, "onset_byte", f.onset_byte);
  number_member(json, "length_bytes", f.length_bytes);
  number_member(json, "onset_char", f.onset_char);
  number_member(json, "length_chars", f.length_chars);
  number_member(json, "onset_token", f.onset_token);
  number_member(json, "length_tokens", f.length_tokens);
  number_member(json, "period_bytes", f.period_bytes);
  number_member(json, "period_chars", f.period_chars);
  number_member(json, "period_tokens", f.period_tokens);
  number_member(json, "count", f.count);
  if (f.measure == f.measure) json->member("measure", f.measure);
  if (f.threshold == f.threshold) json->member("threshold", f.threshold);
}

void append_source(JsonWriter* json, const Sample& sample, bool with_text) {
  json->key("source").begin_object();
  name_member(json, "format", sample, TextField::kSourceFormat);
  if (with_text || !sample.has(TextField::kSourceFile)) name_member(json, "file", sample, TextField::kSourceFile);
  else json->member("file", bounded(base_name(sample.text(TextField::kSourceFile)), kMaxLineName));
  json->key("line");
  sample.has(IntField::kSourceLine) ? json->integer(sample.integer(IntField::kSourceLine, 0)) : json->null();
  json->end_object();
}

void append_sample_line(std::string* out, const Sample& sample, const Judgement& judgement, const Checker& checker, bool with_text) {
  JsonWriter json(out);
  json.begin_object();
  name_member(&json, "id", sample, TextField::kId);
  json.member("repeat", sample.integer(IntField::kRepeat, 0));
  name_member(&json, "dataset", sample, TextField::kDataset);
  flag_list(&json, "flags", judgement.alarm);
  json.key("findings").begin_array();
  const size_t shown = std::min(judgement.findings.size(), kMostFindings);
  for (size_t i = 0; i < shown; ++i) {
    const Finding& f = judgement.findings[i];
    json.begin_object();
    append_finding_members(&json, f);
    const std::string_view excerpt = with_text ? excerpt_of(sample, f, checker.max_excerpt()) : std::string_view();
    if (!excerpt.empty()) json.member("excerpt", excerpt);
    json.end_object();
  }
  json.end_array();
  if (judgement.findings.size() > shown) json.member("findings_left_out", static_cast<int64_t>(judgement.findings.size() - shown));
  flag_list(&json, "unknown", judgement.unknown);
  json.member("request_failed", sample.failed());
  json.key("correct");
  sample.has(IntField::kScoreCorrect) ? json.boolean(sample.integer(IntField::kScoreCorrect, 0) != 0) : json.null();
  number_member(&json, "output_bytes", judgement.output_bytes);
  number_member(&json, "output_chars", judgement.output_chars);
  number_member(&json, "output_tokens", judgement.output_tokens);
  append_source(&json, sample, with_text);
  json.end_object();
}

}  // namespace vaa
