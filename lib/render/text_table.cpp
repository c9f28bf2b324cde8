#include "render/text_table.h"

#include <algorithm>
#include <numeric>

#include "render/layout.h"

namespace vaa {
namespace {

constexpr size_t kGap = 2;           // columns between cells, and before the first
constexpr size_t kLongestWord = 32;  // a longer one may be broken: no flag's name is
constexpr size_t kShortText = 12;    // a cell of up to this many stays on one line where that is possible

size_t longest_word(std::string_view text) {
  size_t longest = 0;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    longest = std::max(longest, display_width(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return std::min(longest, kLongestWord);
}

struct Cells {
  std::vector<std::vector<std::string>> rows;  // the head is the first
  std::vector<size_t> least, short_whole, natural;  // widths of each column: with all breaks, with short cells whole, with none
};

Cells cells_of(const Block& block) {
  Cells cells;
  const size_t n = block.columns.size();
  cells.least.resize(n);
  cells.short_whole.resize(n);
  cells.natural.resize(n);
  for (size_t r = 0; r <= block.rows.size(); ++r) {
    const std::vector<std::string>& row = r == 0 ? block.columns : block.rows[r - 1].cells;
    cells.rows.emplace_back();
    for (size_t i = 0; i < n; ++i) {
      std::string text = i < row.size() ? clean(row[i]) : "";
      if (i == 0 && r > 0 && block.rows[r - 1].inner) text.insert(0, "  ");
      const size_t width = display_width(text);
      // Numbers stay whole, headings and text may break between words.
      const size_t least = r > 0 && block.right[i] ? width : std::min(width, longest_word(text) + (r > 0 && i == 0 && block.rows[r - 1].inner ? 2 : 0));
      cells.least[i] = std::max(cells.least[i], least);
      cells.short_whole[i] = std::max(cells.short_whole[i], r > 0 && width <= kShortText ? width : least);
      cells.natural[i] = std::max(cells.natural[i], width);
      cells.rows.back().push_back(std::move(text));
    }
  }
  return cells;
}

size_t total(const std::vector<size_t>& widths, const std::vector<size_t>& columns) {
  return std::accumulate(columns.begin(), columns.end(), size_t{0}, [&](size_t sum, size_t i) { return sum + kGap + widths[i]; });
}

// The columns that stand, without as many of the optional ones as it takes.
std::vector<size_t> kept_columns(const Block& block, const std::vector<size_t>& widths, size_t width) {
  std::vector<size_t> columns(block.columns.size());
  std::iota(columns.begin(), columns.end(), size_t{0});
  for (const size_t optional : block.optional) {
    if (total(widths, columns) <= width) break;
    columns.erase(std::remove(columns.begin(), columns.end(), optional), columns.end());
  }
  return columns;
}

// One table, or several where the columns do not fit side by side.
std::vector<std::vector<size_t>> groups_of(const Cells& cells, const std::vector<size_t>& columns, size_t width) {
  std::vector<std::vector<size_t>> groups = {{columns[0]}};
  for (size_t i = 1; i < columns.size(); ++i) {
    groups.back().push_back(columns[i]);
    if (groups.back().size() <= 2 || total(cells.least, groups.back()) <= width) continue;
    groups.back().pop_back();
    groups.push_back({columns[0], columns[i]});
  }
  return groups;
}

// In groups the first column stays whole where two others fit beside it.
void keep_first_whole(const std::vector<size_t>& columns, size_t width, Cells* cells) {
  if (columns.size() < 3 || total(cells->least, columns) <= width) return;
  size_t widest = 0;
  for (size_t i = 1; i < columns.size(); ++i) widest = std::max(widest, cells->least[columns[i]]);
  if (3 * kGap + cells->natural[columns[0]] + 2 * widest <= width) cells->least[columns[0]] = cells->natural[columns[0]];
}

// The widest that can give way does, until all fit.
std::vector<size_t> fitted_widths(const Cells& cells, const std::vector<size_t>& columns, size_t width) {
  std::vector<size_t> widths = cells.natural;
  for (size_t all = total(widths, columns); all > width; --all) {
    size_t widest = widths.size();
    for (const size_t i : columns) {
      if (widths[i] > cells.least[i] && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
    }
    if (widest == widths.size()) break;
    widths[widest] -= 1;
  }
  // What is left stands in a column of long words: those are broken.
  for (size_t all = total(widths, columns); all > width && widths[columns[0]] > 8; --all) widths[columns[0]] -= 1;
  return widths;
}

std::vector<std::string> cell_lines(const std::string& text, size_t width, bool inner) {
  if (!inner || display_width(text) <= width || width <= 4) return wrapped(text, width);
  std::vector<std::string> lines = wrapped(std::string_view(text).substr(2), width - 2);
  for (std::string& line : lines) line.insert(0, "  ");
  return lines;
}

void append_row(const Block& block, const Cells& cells, const std::vector<size_t>& columns, const std::vector<size_t>& widths, size_t r, std::vector<TableLine>* out) {
  const bool inner = r > 0 && block.rows[r - 1].inner;
  std::vector<std::vector<std::string>> parts;
  size_t height = 1;
  for (const size_t i : columns) {
    parts.push_back(cell_lines(cells.rows[r][i], widths[i], inner && i == 0));
    height = std::max(height, parts.back().size());
  }
  for (size_t h = 0; h < height; ++h) {
    std::string line;
    for (size_t c = 0; c < columns.size(); ++c) {
      // Headings stand on the row below them, text on its first line.
      const size_t skipped = r == 0 ? height - parts[c].size() : 0;
      const std::string part = h >= skipped && h - skipped < parts[c].size() ? parts[c][h - skipped] : "";
      line += std::string(kGap, ' ') + padded(part, widths[columns[c]], block.right[columns[c]]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out->push_back({std::move(line), r == 0 ? Tone::kFaint : block.rows[r - 1].tone});
  }
}

}  // namespace

std::vector<TableLine> text_table(const Block& block, size_t width) {
  std::vector<TableLine> out;
  if (block.columns.empty()) return out;
  Cells cells = cells_of(block);
  const std::vector<size_t> columns = kept_columns(block, cells.short_whole, width);
  if (total(cells.short_whole, columns) <= width) cells.least = cells.short_whole;
  keep_first_whole(columns, width, &cells);
  for (const std::vector<size_t>& group : groups_of(cells, columns, width)) {
    const std::vector<size_t> widths = fitted_widths(cells, group, width);
    for (size_t r = 0; r < cells.rows.size(); ++r) append_row(block, cells, group, widths, r, &out);
  }
  return out;
}

}  // namespace vaa
