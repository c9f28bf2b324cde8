#include "compare/switch_matrix.h"

#include <algorithm>
#include <map>

#include "base/failure.h"
#include "report/document.h"

namespace vaa {
namespace {

std::string shown(std::string_view name) { return quoted(name); }
[[noreturn]] void wrong(const std::string& words) { fail(VAA_ERROR_OPTION, "matrix: " + words); }

bool truth(std::string_view value, const std::string& where) {
  std::string word;
  for (const char c : value) word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const char* on : {"1", "on", "true", "yes"}) {
    if (word == on) return true;
  }
  for (const char* off : {"0", "off", "false", "no"}) {
    if (word == off) return false;
  }
  wrong(where + " is " + shown(value) + ", allowed are 1, 0, on, off, true, false, yes, no");
}

// Each has a name of its own.
void check_names(std::vector<std::string> names, const char* what, const std::string& where) {
  const std::string begin = where.empty() ? "" : where + ": ";
  std::sort(names.begin(), names.end());
  if (const auto found = std::adjacent_find(names.begin(), names.end()); found != names.end()) wrong(begin + what + " " + shown(*found) + " stands there twice");
  if (!names.empty() && names[0].empty()) wrong(begin + "a " + what + " has no name");
}

void check(const SwitchMatrix& matrix) {
  if (matrix.switches.empty()) wrong("names no switch");
  if (matrix.switches.size() > kMaxSwitches) wrong("has " + std::to_string(matrix.switches.size()) + " switches, at most " + std::to_string(kMaxSwitches) + " are allowed");
  if (matrix.runs.size() > kMaxMatrixRuns) wrong("has " + std::to_string(matrix.runs.size()) + " runs, at most " + std::to_string(kMaxMatrixRuns) + " are allowed");
  if (matrix.runs.empty()) wrong("names no run");
  check_names(matrix.switches, "switch", "");
  std::vector<std::string> names;
  for (const auto& [run, values] : matrix.runs) names.push_back(run);
  check_names(std::move(names), "run", "");
}

SwitchMatrix of_json(std::string_view text) {
  const Document document = Document::parse(text);
  SwitchMatrix out;
  for (const auto& [run, switches] : document.members()) {
    if (switches.kind() != JsonKind::kObject) wrong("run " + shown(run) + " is no object of switches");
    if (out.runs.empty()) {
      for (const auto& [name, value] : switches.members()) out.switches.push_back(name);
    }
    std::vector<bool> values;
    for (const std::string& name : out.switches) {
      const Document& value = switches[name];
      if (!value.there()) wrong("run " + shown(run) + " does not say switch " + shown(name));
      const std::string where = "switch " + shown(name) + " of run " + shown(run);
      values.push_back(value.kind() == JsonKind::kBool ? value.truth() : truth(value.kind() == JsonKind::kNumber && (value.number() == 0 || value.number() == 1) ? std::to_string(value.integer()) : value.text(), where));
    }
    for (const auto& [name, value] : switches.members()) {
      if (std::count(out.switches.begin(), out.switches.end(), name) == 0) wrong("run " + shown(out.runs[0].first) + " does not say switch " + shown(name));
    }
    out.runs.emplace_back(run, std::move(values));
  }
  return out;
}

std::string_view trimmed(std::string_view cell) {
  while (!cell.empty() && (cell.front() == ' ' || cell.front() == '\t')) cell.remove_prefix(1);
  while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\t' || cell.back() == '\r')) cell.remove_suffix(1);
  return cell;
}

// Cells may stand in quotation marks, in which a mark is written twice.
std::vector<std::string> cells_of(std::string_view line, char between, const std::string& where) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') cells.back() += line[i++];
    else if (line[i] == '"') quoted = !quoted;
    else if (line[i] == between && !quoted) cells.emplace_back();
    else cells.back() += line[i];
  }
  if (quoted) wrong(where + ": a quotation mark is not closed on its line");
  for (std::string& cell : cells) cell = std::string(trimmed(cell));
  return cells;
}

SwitchMatrix of_table(std::string_view text) {
  SwitchMatrix out;
  char between = 0;
  int64_t number = 0;
  std::map<std::string, int64_t> rows;  // run, line
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    number += 1;
    const std::string where = "line " + std::to_string(number);
    if (line.find('\0') != line.npos) wrong(where + " holds a NUL byte: the file must be UTF-8 text, not UTF-16 or binary");
    if (trimmed(line).empty()) continue;
    if (between == 0) {
      between = line.find('\t') != line.npos ? '\t' : ',';
      out.switches = cells_of(line, between, where);
      out.switches.erase(out.switches.begin());
      check_names(out.switches, "switch", where);
      continue;
    }
    const std::vector<std::string> cells = cells_of(line, between, where);
    if (cells.size() != out.switches.size() + 1) wrong(where + " has " + std::to_string(cells.size()) + " values, the first line names " + std::to_string(out.switches.size() + 1));
    std::vector<bool> values;
    for (size_t i = 1; i < cells.size(); ++i) values.push_back(truth(cells[i], where + ": switch " + shown(out.switches[i - 1])));
    if (const auto [first, fresh] = rows.try_emplace(cells[0], number); !fresh) wrong(where + ": run " + shown(cells[0]) + " stands there twice, first in line " + std::to_string(first->second));
    if (cells[0].empty()) wrong(where + ": a run has no name");
    out.runs.emplace_back(cells[0], std::move(values));
  }
  return out;
}

}  // namespace

SwitchMatrix read_switch_matrix(std::string_view text) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) wrong("is empty");
  SwitchMatrix matrix;
  if (text[first] == '{') {
    JsonReader json(text);
    if (!json.skip() || !json.finish()) wrong("begins with { and is no JSON object");
    matrix = of_json(text);
  } else {
    matrix = of_table(text);
  }
  check(matrix);
  return matrix;
}

}  // namespace vaa
