#include "render/layout.h"

#include <algorithm>

#include "text/unicode.h"
#include "text/utf8.h"

namespace vaa {
namespace {

constexpr char kHex[] = "0123456789abcdef";
constexpr int kMostMarks = 4;  // combining marks on one character

void append_hex(std::string* out, uint32_t code, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) *out += kHex[code >> shift & 15];
}

bool is_mark(uint32_t code) {
  const Category c = code_properties(code).category;
  return c == Category::kNonspacingMark || c == Category::kEnclosingMark;
}

bool is_shown(uint32_t code) {
  if (code < 0x7F) return code >= 0x20;
  switch (code_properties(code).category) {
    case Category::kControl:
    case Category::kFormat:
    case Category::kLineSeparator:
    case Category::kParagraphSeparator:
    case Category::kPrivate:
    case Category::kSurrogate:
    case Category::kUnassigned: return false;
    default: return true;
  }
}

void append_escaped(std::string* out, const Utf8Step& step) {
  if (!step.valid && !step.surrogate) {
    *out += "\\x";
    append_hex(out, step.code, 2);
  } else if (step.code == '\n' || step.code == '\r' || step.code == '\t') {
    *out += step.code == '\n' ? "\\n" : step.code == '\r' ? "\\r" : "\\t";
  } else if (step.code <= 0xFFFF) {
    *out += "\\u";
    append_hex(out, step.code, 4);
  } else {
    *out += "\\U";
    append_hex(out, step.code, 8);
  }
}

// East Asian Width W and F (UAX #11) by blocks, and emoji that are drawn as pictures.
bool is_wide(uint32_t code) {
  if (code < 0x1100) return false;
  static constexpr struct { uint32_t from, to; } kWide[] = {{0x1100, 0x115F}, {0x231A, 0x231B}, {0x23E9, 0x23EC}, {0x2E80, 0x303E}, {0x3041, 0x33FF}, {0x3400, 0x4DBF},
      {0x4E00, 0xA4CF}, {0xA960, 0xA97C}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF}, {0xFE10, 0xFE19}, {0xFE30, 0xFE6F}, {0xFF01, 0xFF60}, {0xFFE0, 0xFFE6},
      {0x16FE0, 0x18D08}, {0x1AFF0, 0x1B2FB}, {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F19A}, {0x1F200, 0x1F320}, {0x1F32D, 0x1F64F}, {0x1F680, 0x1F6FF},
      {0x1F7E0, 0x1F7EB}, {0x1F900, 0x1FAFF}, {0x20000, 0x3FFFD}};
  return std::any_of(std::begin(kWide), std::end(kWide), [&](const auto& range) { return code >= range.from && code <= range.to; });
}

size_t width_of(uint32_t code) { return code < 0x20 || is_mark(code) ? 0 : is_wide(code) ? 2 : 1; }

// The space at `at` holds a number and its sign together.
bool before_percent(std::string_view text, size_t at) { return at + 1 < text.size() && text[at + 1] == '%'; }

}  // namespace

std::string clean(std::string_view text) {
  std::string out;
  int marks = 0;
  for (size_t at = 0; at < text.size();) {
    const Utf8Step step = utf8_step(text, at);
    marks = step.valid && is_mark(step.code) ? marks + 1 : 0;
    if (step.valid && is_shown(step.code) && marks <= kMostMarks) out.append(text.substr(at, step.size));
    else append_escaped(&out, step);
    at += step.size;
  }
  return out;
}

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (size_t at = 0; at < text.size();) {
    const Utf8Step step = utf8_step(text, at);
    width += width_of(step.code);
    at += step.size;
  }
  return width;
}

std::string padded(std::string_view text, size_t width, bool right) {
  const size_t own = display_width(text);
  const std::string fill(width > own ? width - own : 0, ' ');
  return right ? fill + std::string(text) : std::string(text) + fill;
}

std::vector<std::string> wrapped(std::string_view text, size_t width) {
  std::vector<std::string> lines;
  size_t begin = 0, used = 0;
  size_t break_at = 0, slash_at = 0;  // where the line may end, and where a word that is longer than a line may; 0: nowhere yet
  for (size_t at = 0; at < text.size();) {
    const Utf8Step step = utf8_step(text, at);
    const size_t own = width_of(step.code);
    if (used + own > width && at > begin) {
      const size_t end = step.code == ' ' && !before_percent(text, at) ? at : break_at > begin ? break_at : slash_at > begin ? slash_at : at;
      lines.emplace_back(text.substr(begin, end - begin));
      begin = end;
      while (begin < text.size() && text[begin] == ' ') ++begin;
      at = begin;
      used = 0;
      break_at = slash_at = begin;
      continue;
    }
    used += own;
    at += step.size;
    if (step.code == '/') slash_at = at;
    // Not before punctuation that closes (，。；：、！？）»), nor behind what opens (（《「).
    const Utf8Step next = utf8_step(text, at);
    const Category kind = next.size ? code_properties(next.code).category : Category::kSpace;
    const bool closes = next.code >= 0x3000 && (kind == Category::kOtherPunctuation || kind == Category::kClose || kind == Category::kFinalQuote);
    const bool opens = step.valid && code_properties(step.code).category == Category::kOpen;
    if (((step.code == ' ' && !before_percent(text, at - 1)) || own == 2 || width_of(next.code) == 2) && !closes && !opens) break_at = at;
  }
  std::string_view last = text.substr(begin);
  if (!last.empty() || lines.empty()) lines.emplace_back(last);
  for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
  return lines;
}

}  // namespace vaa
