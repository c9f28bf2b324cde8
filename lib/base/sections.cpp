#include "base/sections.h"

#include "base/failure.h"

namespace vaa {
namespace {

const char* verdict_word(int verdict) { return verdict == 0 ? "pass" : verdict == 1 ? "fail" : verdict == 2 ? "not_checked" : "undecided"; }

void append(JsonWriter* json, const Both& text) { json->begin_object().member("en", text.en).member("zh", text.zh).end_object(); }

void append_list(JsonWriter* json, const char* name, const std::vector<Both>& texts) {
  json->key(name).begin_array();
  for (const Both& text : texts) append(json, text);
  json->end_array();
}

void append(JsonWriter* json, const SectionLine& line) {
  json->begin_object().key("text");
  append(json, line.text);
  if (!line.quoted.empty()) json->member("quoted", line.quoted);
  if (!line.command.empty()) json->member("command", line.command);
  if (!line.request.empty()) json->member("request", line.request);
  json->member("tone", line.tone).end_object();
}

void append(JsonWriter* json, const Section& section) {
  json->begin_object().key("heading");
  append(json, section.heading);
  append_list(json, "columns", section.columns);
  json->key("right").begin_array();
  for (const bool right : section.right) json->boolean(right);
  json->end_array().key("rows").begin_array();
  for (const SectionRow& row : section.rows) {
    json->begin_object();
    append_list(json, "cells", row.cells);
    json->member("tone", row.tone).end_object();
  }
  json->end_array().key("lines").begin_array();
  for (const SectionLine& line : section.lines) append(json, line);
  json->end_array().end_object();
}

void append(JsonWriter* json, const NumberTable& table) {
  const size_t rows = table.columns.empty() ? 0 : table.columns[0].second.size();
  json->begin_object().member("name", table.name).member("rows", static_cast<int64_t>(rows)).key("columns").begin_array();
  for (const auto& [name, values] : table.columns) json->string(name);
  json->end_array().key("values").begin_array();
  for (const auto& [name, values] : table.columns) {
    json->begin_array();
    for (const double value : values) json->real(value);
    json->end_array();
  }
  json->end_array().end_object();
}

}  // namespace

std::string report_json(const SectionReport& report) {
  std::string out;
  JsonWriter json(&out);
  json.begin_object().member("schema", "vaa.report/1").member("kind", report.kind).member("vaa", VAA_VERSION_STRING).key("title");
  append(&json, report.title);
  json.key("verdict").begin_object().member("name", verdict_word(report.verdict)).member("code", report.verdict);
  json.member("reason", report.reason.en).member("reason_zh", report.reason.zh).key("causes").begin_array().end_array().end_object();
  append_list(&json, "facts", report.facts);
  json.key("sections").begin_array();
  for (const Section& section : report.sections) append(&json, section);
  json.end_array().key("tables").begin_array();
  for (const NumberTable& table : report.tables) append(&json, table);
  json.end_array().end_object();
  if (!report.data.empty()) {
    out.pop_back();
    out += ", " + report.data + "}";
  }
  return out;
}

}  // namespace vaa
