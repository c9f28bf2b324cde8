// Reports that bring their own headings, tables and lines in both languages ("sections").
#include "render/blocks.h"

namespace vaa {
namespace {

Tone tone_of(const std::string& name) {
  return name == "good" ? Tone::kGood : name == "bad" ? Tone::kBad : name == "unsure" ? Tone::kUnsure : name == "faint" ? Tone::kFaint : Tone::kPlain;
}

Block block_of(const Document& section, bool chinese) {
  Block block;
  block.heading = said(section["heading"], chinese);
  for (const Document& column : section["columns"].items()) block.columns.push_back(said(column, chinese));
  for (size_t i = 0; i < block.columns.size(); ++i) {
    const std::vector<Document>& right = section["right"].items();
    block.right.push_back(i < right.size() && right[i].truth());
  }
  for (const Document& row : section["rows"].items()) {
    Row cells;
    for (const Document& cell : row["cells"].items()) cells.cells.push_back(said(cell, chinese));
    cells.cells.resize(block.columns.size());
    cells.tone = tone_of(row["tone"].text());
    if (!block.columns.empty()) block.rows.push_back(std::move(cells));
  }
  for (const Document& line : section["lines"].items()) {
    block.lines.push_back({said(line["text"], chinese), line["quoted"].text(), line["command"].text(), tone_of(line["tone"].text()), line["request"].text()});
  }
  return block;
}

}  // namespace

void add_sections(const Document& report, bool chinese, Blocks* out) {
  out->title = said(report["title"], chinese);
  for (const Document& fact : report["facts"].items()) out->facts.push_back(said(fact, chinese));
  for (const Document& section : report["sections"].items()) out->blocks.push_back(block_of(section, chinese));
}

}  // namespace vaa
