#include "base/failure.h"

#include <algorithm>

#include "base/utf8_sequence.h"

namespace vaa {

namespace {

// Characters that would move, hide or turn around what a person reads: C1, line and paragraph separators, the marks of writing direction, the byte order mark.
bool unprintable(uint32_t code) {
  return (code >= 0x7F && code <= 0x9F) || (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF;
}

void append_hex(std::string* out, const char* prefix, uint32_t value, int digits) {
  *out += prefix;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) *out += "0123456789abcdef"[value >> shift & 0xF];
}

// One character of `size` bytes, or an invalid byte (size 0).
void append_visible(std::string* out, const char* p, size_t size) {
  if (size == 0) return append_hex(out, "\\x", static_cast<uint8_t>(*p), 2);
  const uint32_t code = utf8_code(p, size);
  switch (code) {
    case '\n': *out += "\\n"; return;
    case '\r': *out += "\\r"; return;
    case '\t': *out += "\\t"; return;
    case '"': *out += "\\\""; return;
    case '\\': *out += "\\\\"; return;
    default: break;
  }
  if (code < 0x20 || unprintable(code)) return append_hex(out, "\\u", code, 4);
  out->append(p, size);
}

}  // namespace

std::string quoted(std::string_view text, size_t max) {
  std::string out = "\"";
  const char* p = text.data();
  const char* end = p + text.size();
  const char* stop = p + std::min(max, text.size());
  while (p < end) {
    const size_t size = utf8_sequence(p, end);
    const size_t taken = size ? size : 1;
    if (static_cast<size_t>(stop - p) < taken) break;
    append_visible(&out, p, size);
    p += taken;
  }
  return out += p < end ? "…\"" : "\"";
}

}  // namespace vaa
