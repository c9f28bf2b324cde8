// What a judge concludes: one JSON document (schema vaa.report/1, docs/report.schema.json), its numeric tables as columns, and the lines of single samples.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vaa {

enum class Verdict : int8_t { kPass = 0, kFail = 1, kNotChecked = 2, kUndecided = 3 };
const char* verdict_name(Verdict verdict);  // "pass", "fail", "not_checked", "undecided"

struct Column {
  std::string name;
  std::vector<double> values;  // NaN: null
};
struct Table {
  std::string name;
  std::vector<Column> columns;
};

class Report {
 public:
  Report(Verdict verdict, std::string json, std::vector<Table> tables, std::string sample_lines)
      : verdict_(verdict), json_(std::move(json)), tables_(std::move(tables)), sample_lines_(std::move(sample_lines)) {}
  Verdict verdict() const { return verdict_; }
  const std::string& json() const { return json_; }  // one line
  const std::string& sample_lines() const { return sample_lines_; }
  const std::vector<Table>& tables() const { return tables_; }
  // RFC 6901. Throws Failure: VAA_ERROR_NOT_FOUND, VAA_ERROR_ARGUMENT.
  double number(std::string_view pointer) const;
  // Throws Failure (VAA_ERROR_NOT_FOUND) that names what there is.
  const std::vector<double>& column(std::string_view table, std::string_view column) const;

 private:
  Verdict verdict_;
  std::string json_;
  std::vector<Table> tables_;
  std::string sample_lines_;
};

// The report whose document this is; of its tables those that carry their values. Throws Failure (VAA_ERROR_FORMAT).
Report report_from_json(std::string_view json);

}  // namespace vaa
