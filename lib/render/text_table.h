// A block's table as lines of a terminal.
#pragma once
#include <string>
#include <vector>

#include "render/blocks.h"

namespace vaa {

struct TableLine {
  std::string text;
  Tone tone = Tone::kPlain;
};
// Lines of at most `width` columns (of 40 and more). Nothing is cut: where the table is too wide, headings and text break into lines, then optional columns go, then the columns
// are given in groups, each with the first column again.
std::vector<TableLine> text_table(const Block& block, size_t width);

}  // namespace vaa
