// A report as a vaa.report/1 document with sections: headings, tables and lines in both languages, which every renderer prints as they stand (docs/report.schema.json).
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_writer.h"

namespace vaa {

struct Both {            // one text in English and Chinese
  std::string en, zh;
  bool operator==(const Both&) const = default;
};
inline Both plain(std::string text) { return {text, text}; }  // numbers and names: the same in both languages
struct SectionRow {
  std::vector<Both> cells;
  const char* tone = "plain";   // plain, good, bad, unsure, faint
};
struct SectionLine {
  Both text;
  std::string quoted, command, request;  // model output; to type; JSON to add to a request
  const char* tone = "plain";
};
struct Section {
  Both heading;
  std::vector<Both> columns;
  std::vector<bool> right;      // columns of numbers
  std::vector<SectionRow> rows;
  std::vector<SectionLine> lines;
};
// In the document: "tables": [{"name", "rows", "columns": [names], "values": [[numbers of the first column], …]}].
struct NumberTable {            // columns of equal length; NaN: null
  std::string name;
  std::vector<std::pair<std::string, std::vector<double>>> columns;
};
struct SectionReport {
  const char* kind;             // ask, ladder, bisect, again, compare, variants
  int verdict = 0;              // VAA_VERDICT_*: 0 pass, 1 fail, 2 not checked, 3 undecided
  Both reason, title;
  std::vector<Both> facts;
  std::vector<Section> sections;
  std::vector<NumberTable> tables;
  std::string data;             // JSON members of this kind, such as "\"servers\": […]"; "" : none
};
std::string report_json(const SectionReport& report);

}  // namespace vaa
