#include <cmath>

#include "base/failure.h"
#include "base/json.h"
#include "report/document.h"
#include "report/report.h"

namespace vaa {
namespace {

// One line, as every report is kept.
std::string on_one_line(std::string_view json) {
  while (!json.empty() && (json.back() == '\n' || json.back() == '\r' || json.back() == ' ')) json.remove_suffix(1);
  return std::string(json);
}

std::vector<double> numbers_of(const Document& list) {
  std::vector<double> numbers;
  for (const Document& value : list.items()) numbers.push_back(value.number());
  return numbers;
}

std::vector<Table> tables_of(const Document& list) {
  std::vector<Table> tables;
  for (const Document& one : list.items()) {
    const std::vector<Document>&names = one["columns"].items(), &values = one["values"].items();
    if (values.size() != names.size() || values.empty()) continue;  // named only: its numbers stayed with the report that was made
    Table table{one["name"].text(), {}};
    for (size_t i = 0; i < names.size(); ++i) table.columns.push_back({names[i].text(), numbers_of(values[i])});
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace

Report report_from_json(std::string_view json) {
  const Document document = Document::parse(json);
  const std::string& schema = document["schema"].text();
  if (schema != "vaa.report/1") fail(VAA_ERROR_FORMAT, "report: schema is " + quoted(schema) + ", must be vaa.report/1");
  const double code = document.at("verdict", "code").number();
  if (!(code == 0 || code == 1 || code == 2 || code == 3)) fail(VAA_ERROR_FORMAT, "report: verdict.code is no integer of 0 to 3");
  return Report(static_cast<Verdict>(static_cast<int8_t>(code)), on_one_line(json), tables_of(document["tables"]), "");
}

}  // namespace vaa
