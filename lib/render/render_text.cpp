#include "render/render_text.h"

#include <algorithm>

#include "render/layout.h"

namespace vaa {
namespace {

constexpr size_t kGap = 2;  // columns between the cells of a table

class Painter {
 public:
  explicit Painter(bool color) : color_(color) {}
  std::string tone(Tone t, const std::string& text) const { return t == Tone::kPlain ? text : paint(code(t), text); }
  std::string heading(const std::string& text) const { return paint("1", text); }
  std::string verdict(Tone t, const std::string& text) const { return paint(std::string("1;") + code(t), text); }

 private:
  static const char* code(Tone t) { return t == Tone::kGood ? "32" : t == Tone::kBad ? "31" : t == Tone::kUnsure ? "33" : t == Tone::kFaint ? "2" : "0"; }
  std::string paint(const std::string& code, const std::string& text) const { return color_ && !text.empty() ? "\x1b[" + code + "m" + text + "\x1b[0m" : text; }
  bool color_;
};

std::string without_end_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

// Widths of the columns; when they do not fit, the widest text column gives way, down to 12.
std::vector<size_t> column_widths(const Block& block, const std::vector<std::vector<std::string>>& cells, size_t width) {
  std::vector<size_t> widths(block.columns.size());
  for (const auto& row : cells) {
    for (size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  size_t all = 2;
  for (const size_t w : widths) all += w + kGap;
  while (all > width + kGap) {
    size_t widest = widths.size();
    for (size_t i = 0; i < widths.size(); ++i) {
      if (!block.right[i] && widths[i] > 12 && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
    }
    if (widest == widths.size()) break;
    const size_t cut = std::min(all - width - kGap, widths[widest] - 12);
    widths[widest] -= cut;
    all -= cut;
  }
  return widths;
}

void append_table(std::string* out, const Block& block, const Painter& paint, size_t width) {
  std::vector<std::vector<std::string>> cells;
  const auto add = [&](const std::vector<std::string>& row) {
    cells.emplace_back();
    for (size_t i = 0; i < block.columns.size(); ++i) cells.back().push_back(i < row.size() ? clean(row[i]) : "");
  };
  add(block.columns);
  for (const Row& row : block.rows) add(row.cells);
  const std::vector<size_t> widths = column_widths(block, cells, width);
  for (size_t r = 0; r < cells.size(); ++r) {
    std::string line = "  ";
    for (size_t i = 0; i < widths.size(); ++i) line += (i ? std::string(kGap, ' ') : "") + padded(cut_to_width(cells[r][i], widths[i]), widths[i], block.right[i]);
    *out += paint.tone(r == 0 ? Tone::kFaint : block.rows[r - 1].tone, without_end_spaces(line)) + "\n";
  }
}

void append_wrapped(std::string* out, const std::string& text, const std::string& first, size_t indent, size_t width, Tone tone, const Painter& paint) {
  std::string lead = first;
  for (const std::string& line : wrapped(text, width > indent + 20 ? width - indent : 20)) {
    *out += lead + paint.tone(tone, line) + "\n";
    lead = std::string(indent, ' ');
  }
}

void append_line(std::string* out, const Line& line, const Painter& paint, size_t width) {
  append_wrapped(out, clean(line.text), "  ", 4, width, line.tone, paint);
  if (!line.quoted.empty()) {
    for (const std::string& part : wrapped(clean(line.quoted), width > 26 ? width - 6 : 20)) *out += "    " + paint.tone(Tone::kFaint, "│ " + part) + "\n";
  }
  if (!line.command.empty()) *out += "    $ " + clean(line.command) + "\n";  // never broken: to be copied
}

}  // namespace

std::string render_text(const Blocks& blocks, const RenderOptions& options) {
  const Painter paint(options.color);
  const size_t width = static_cast<size_t>(std::clamp(options.width, 40, 500));
  std::string out;
  const size_t indent = display_width(blocks.verdict) + 2;
  append_wrapped(&out, clean(blocks.reason), paint.verdict(blocks.tone, blocks.verdict) + "  ", indent, width, Tone::kPlain, paint);
  out += "\n";
  for (const std::string& fact : blocks.facts) append_wrapped(&out, clean(fact), "", 2, width, Tone::kFaint, paint);
  for (const Block& block : blocks.blocks) {
    out += "\n" + paint.heading(clean(block.heading)) + "\n";
    if (!block.columns.empty()) append_table(&out, block, paint, width);
    for (const Line& line : block.lines) append_line(&out, line, paint, width);
  }
  return out;
}

}  // namespace vaa
