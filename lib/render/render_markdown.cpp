#include <algorithm>

#include "render/layout.h"
#include "render/render_text.h"

namespace vaa {
namespace {

bool is_word(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

}  // namespace

// An underscore inside a word needs no escape and flags stay readable.
std::string markdown_text(std::string_view text) {
  const std::string shown = clean(text);
  std::string out;
  for (size_t i = 0; i < shown.size(); ++i) {
    const char c = shown[i];
    const bool inside = c == '_' && i > 0 && i + 1 < shown.size() && is_word(shown[i - 1]) && is_word(shown[i + 1]);
    const bool first = i == 0 && (c == '#' || c == '-' || c == '+');
    if ((std::string_view("\\`*_[]<>|&~").find(c) != std::string_view::npos && !inside) || first) out += '\\';
    out += c;
  }
  return out;
}

namespace {

// A code span whose fence is longer than any run of backticks inside.
std::string code(std::string_view text) {
  const std::string shown = clean(text);
  size_t run = 0, longest = 0;
  for (const char c : shown) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const bool space = longest > 0 || shown.front() == ' ' || shown.back() == ' ';
  return fence + (space ? " " : "") + shown + (space ? " " : "") + fence;
}

void append_row(std::string* out, const std::vector<std::string>& cells, size_t columns, bool inner) {
  *out += "|";
  for (size_t i = 0; i < columns; ++i) *out += std::string(i == 0 && inner ? " – " : " ") + (i < cells.size() ? markdown_text(cells[i]) : "") + " |";
  *out += "\n";
}

void append_table(std::string* out, const Block& block) {
  append_row(out, block.columns, block.columns.size(), false);
  *out += "|";
  for (const bool right : block.right) *out += right ? "-----:|" : "-----|";
  *out += "\n";
  for (const Row& row : block.rows) append_row(out, row.cells, block.columns.size(), row.inner);
}

}  // namespace

std::string render_markdown(const Blocks& blocks) {
  std::string out = "# " + markdown_text(blocks.title) + "\n\n**" + markdown_text(blocks.verdict) + "** " + markdown_text(blocks.reason) + "\n\n";
  for (const std::string& fact : blocks.facts) out += "- " + markdown_text(fact) + "\n";
  for (const Block& block : blocks.blocks) {
    out += "\n## " + markdown_text(block.heading) + "\n\n";
    if (!block.columns.empty()) append_table(&out, block);
    if (!block.columns.empty() && !block.lines.empty()) out += "\n";
    for (const BlockLine& line : block.lines) {
      out += "- " + markdown_text(line.text) + "\n";
      if (!line.quoted.empty()) out += "  " + code(line.quoted) + "\n";
      if (!line.request.empty()) out += "  " + code(line.request) + "\n";
      if (!line.command.empty()) out += "  " + code("$ " + line.command) + "\n";
    }
  }
  return out;
}

}  // namespace vaa
