#include "report/report.h"

#include <charconv>

#include "base/failure.h"
#include "base/json.h"

namespace vaa {
namespace {

// One reference token of a JSON pointer with ~0 and ~1 undone.
std::string reference_token(std::string_view pointer, std::string_view token) {
  std::string out;
  for (size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '~') {
      out += token[i];
      continue;
    }
    if (++i == token.size() || (token[i] != '0' && token[i] != '1')) {
      fail(VAA_ERROR_ARGUMENT, "pointer: " + quoted(pointer) + " has a ~ that is neither ~0 nor ~1");
    }
    out += token[i] == '0' ? '~' : '/';
  }
  return out;
}

bool enter_member(JsonReader* json, std::string_view name) {
  std::string_view key;
  for (json->object(); json->key(&key); json->skip()) {
    if (key == name) return true;
  }
  return false;
}

bool enter_element(JsonReader* json, std::string_view token) {
  size_t index = 0;
  const char* end = token.data() + token.size();
  const auto read = std::from_chars(token.data(), end, index);
  if (read.ec != std::errc() || read.ptr != end || (token.size() > 1 && token[0] == '0')) return false;
  for (json->array(); json->element(); json->skip()) {
    if (index-- == 0) return true;
  }
  return false;
}

std::string names_of(const std::vector<Table>& tables) {
  std::string names;
  for (const Table& t : tables) names += (names.empty() ? "" : ", ") + t.name;
  return names;
}
std::string names_of(const std::vector<Column>& columns) {
  std::string names;
  for (const Column& c : columns) names += (names.empty() ? "" : ", ") + c.name;
  return names;
}

}  // namespace

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass: return "pass";
    case Verdict::kFail: return "fail";
    case Verdict::kUndecided: return "undecided";
    case Verdict::kNotChecked: break;
  }
  return "not_checked";
}

double Report::number(std::string_view pointer) const {
  JsonReader json(json_);
  if (!pointer.empty() && pointer[0] != '/') fail(VAA_ERROR_ARGUMENT, "pointer: " + quoted(pointer) + " must begin with /");
  for (size_t at = 0; at < pointer.size();) {
    const size_t next = std::min(pointer.find('/', at + 1), pointer.size());
    const std::string token = reference_token(pointer, pointer.substr(at + 1, next - at - 1));
    const JsonKind kind = json.peek();
    const bool found = kind == JsonKind::kObject ? enter_member(&json, token) : kind == JsonKind::kArray && enter_element(&json, token);
    if (!found) fail(VAA_ERROR_NOT_FOUND, "pointer: " + quoted(pointer) + " leads nowhere in this report from " + quoted(token));
    at = next;
  }
  const JsonKind kind = json.peek();
  double value = 0;
  bool truth = false;
  if (kind == JsonKind::kNumber && json.real(&value)) return value;
  if (kind == JsonKind::kBool && json.boolean(&truth)) return truth ? 1 : 0;
  fail(VAA_ERROR_ARGUMENT, "pointer: " + quoted(pointer) + " leads to " + json_kind_name(kind) + ", not to a number");
}

const std::vector<double>& Report::column(std::string_view table, std::string_view column) const {
  for (const Table& t : tables_) {
    if (t.name != table) continue;
    for (const Column& c : t.columns) {
      if (c.name == column) return c.values;
    }
    fail(VAA_ERROR_NOT_FOUND, "column: table " + t.name + " has no column " + quoted(column) + "; there are " + names_of(t.columns));
  }
  fail(VAA_ERROR_NOT_FOUND, "table: this report has no table " + quoted(table) + "; there are " + names_of(tables_));
}

}  // namespace vaa
