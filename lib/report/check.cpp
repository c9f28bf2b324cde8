#include "report/check.h"

namespace vaa {
namespace {

void pair_member(JsonWriter* json, const char* key, double lower, double upper) {
  json->key(key);
  if (std::isnan(lower) && std::isnan(upper)) {
    json->null();
  } else {
    json->begin_array().real(lower).real(upper).end_array();
  }
}

struct CheckColumn {
  const char* name;
  double (*value)(const Check&);
};
double or_null(int64_t n) { return n < 0 ? std::nan("") : static_cast<double>(n); }
constexpr CheckColumn kColumns[] = {
    {"status", [](const Check& c) { return static_cast<double>(c.status); }},
    {"n", [](const Check& c) { return or_null(c.n); }},
    {"k", [](const Check& c) { return or_null(c.k); }},
    {"found", [](const Check& c) { return or_null(c.found); }},
    {"all", [](const Check& c) { return or_null(c.all); }},
    {"rate", [](const Check& c) { return c.rate; }},
    {"lower", [](const Check& c) { return c.lower; }},
    {"upper", [](const Check& c) { return c.upper; }},
    {"limit", [](const Check& c) { return c.limit; }},
    {"ceiling", [](const Check& c) { return c.ceiling; }},
    {"effect", [](const Check& c) { return c.effect; }},
    {"effect_lower", [](const Check& c) { return c.effect_lower; }},
    {"effect_upper", [](const Check& c) { return c.effect_upper; }},
    {"margin", [](const Check& c) { return c.margin; }},
    {"p", [](const Check& c) { return c.p; }},
    {"p_adjusted", [](const Check& c) { return c.p_adjusted; }},
    {"detectable", [](const Check& c) { return c.detectable; }},
    {"n_needed", [](const Check& c) { return or_null(c.n_needed); }},
};

}  // namespace

void append_said(JsonWriter* json, const char* key, const Said& said) {
  json->key(key).begin_object().member("en", said.en).member("zh", said.zh).end_object();
}

void append_check(JsonWriter* json, const Check& c) {
  json->begin_object().member("name", c.name).member("kind", c.kind);
  if (std::string_view(c.kind) == "flag") json->member("flag", c.name);
  if (c.severity[0] != '\0') json->member("severity", c.severity);
  json->member("status", verdict_name(c.status)).member("gates", c.gates);
  json->member("n", c.n).member("k", c.k).member("found", c.found).key("all");
  c.all < 0 ? json->null() : json->integer(c.all);
  json->member("rate", c.rate).member("lower", c.lower).member("upper", c.upper);
  json->member("limit", c.limit).member("ceiling", c.ceiling).key("ceiling_from");
  c.ceiling_from[0] == '\0' ? json->null() : json->string(c.ceiling_from);
  json->member("effect", c.effect);
  pair_member(json, "interval", c.effect_lower, c.effect_upper);
  json->member("margin", c.margin).member("p", c.p).member("p_adjusted", c.p_adjusted).member("detectable", c.detectable);
  json->key("n_needed");
  c.n_needed < 0 ? json->null() : json->integer(c.n_needed);
  append_said(json, "title", c.title);
  append_said(json, "words", c.words);
  json->end_object();
}

Table check_table(const std::vector<Check>& checks) {
  Table table{"checks", {}};
  for (const CheckColumn& column : kColumns) {
    table.columns.push_back({column.name, {}});
    for (const Check& c : checks) table.columns.back().values.push_back(column.value(c));
  }
  return table;
}

}  // namespace vaa
