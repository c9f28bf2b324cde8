#include "quality/explain.h"

#include <algorithm>

#include "base/failure.h"
#include "base/json_writer.h"
#include "base/nearest_name.h"
#include "quality/excerpt.h"
#include "quality/run/run_check.h"

namespace vaa {
namespace {

void append(const Explained& row, bool chinese, JsonWriter* json) {
  const auto say = [&](const char* key, const Words& words) { json->member(key, chinese ? words.zh : words.en); };
  json->begin_object().member("name", row.name).member("kind", row.kind).key("severity");
  if (*row.severity) json->string(row.severity);
  else json->null();
  json->member("ceiling", row.ceiling);
  say("title", row.title);
  say("summary", row.summary);
  say("rule", row.explanation->rule);
  say("calibration", row.explanation->calibration);
  say("traps", row.explanation->traps);
  say("causes", row.explanation->causes);
  say("next", row.explanation->next);
  json->end_object();
}

[[noreturn]] void refuse(std::string_view name, const std::vector<Explained>& rows) {
  std::vector<std::string_view> known;
  for (const Explained& row : rows) known.push_back(row.name);
  const std::string_view nearest = nearest_name(name, known);
  std::string message = "name: " + quoted(name) + " is no flag or check of a run; ";
  if (!nearest.empty()) fail(VAA_ERROR_NOT_FOUND, message + "did you mean " + std::string(nearest) + "?");
  message += "known:";
  for (const std::string_view one : known) message += (one == known.front() ? " " : ", ") + std::string(one);
  fail(VAA_ERROR_NOT_FOUND, message);
}

}  // namespace

std::vector<Explained> explained_rows() {
  std::vector<Explained> rows;
  for (const Detector* d : detector_table()) rows.push_back({d->name, "flag", severity_name(d->severity), d->ceiling, d->title, d->summary, &d->explanation});
  for (const RunCheck* c : run_check_table()) rows.push_back({c->name, "run", "", c->ceiling, c->title, c->summary, &c->explanation});
  return rows;
}

std::string explanation_json(std::string_view name, bool chinese) {
  const std::vector<Explained> rows = explained_rows();
  std::string text;
  JsonWriter json(&text);
  if (name.empty()) {
    json.begin_array();
    for (const Explained& row : rows) append(row, chinese, &json);
    json.end_array();
    return text;
  }
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Explained& row) { return name == row.name; });
  if (found == rows.end()) refuse(name, rows);
  append(*found, chinese, &json);
  return text;
}

}  // namespace vaa
