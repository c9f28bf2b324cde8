// Text for a terminal: what may be shown of hostile text, how wide it is, how it breaks into lines.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vaa {

// Everything that could move the cursor, change direction, hide or imitate is written as an escape: control and format characters, line and paragraph
// separators, private and unassigned code points, invalid bytes (\xFF), lone surrogates (\ud800). Line ends and tabs become \n, \r, \t.
std::string clean(std::string_view text);
// Columns of a terminal: 2 for wide East Asian characters and emoji, 0 for combining marks.
size_t display_width(std::string_view text);
// Filled with spaces to `width` columns.
std::string padded(std::string_view text, size_t width, bool right);
// Lines of at most `width` columns: broken at spaces and between wide characters; a longer word is broken
// behind a slash, else anywhere. "95 %" stays together. No line begins with closing or ends with opening East Asian punctuation.
std::vector<std::string> wrapped(std::string_view text, size_t width);

}  // namespace vaa
