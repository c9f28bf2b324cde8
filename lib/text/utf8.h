// UTF-8, strictly (RFC 3629). Offsets in bytes; a code point is a character; an invalid byte counts as one character.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace vaa {

struct Utf8Step {
  uint32_t code = 0;   // the code point; for an invalid byte the byte itself
  uint8_t size = 0;    // bytes taken, 1 to 4; 0 at the end
  bool valid = false;
  bool surrogate = false;  // the three bytes ED A0..BF xx of a lone surrogate (valid is false, size is 3)
};
// utf8_step for what it does not read itself.
Utf8Step utf8_step_rest(std::string_view text, size_t at);
// The step at `at`; an invalid sequence takes one byte (a lone surrogate three).
inline Utf8Step utf8_step(std::string_view text, size_t at) {
  if (at < text.size()) {
    const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[at + i])); };
    if (byte(0) < 0x80) return {byte(0), 1, true, false};
    // U+1000 to U+CFFF and U+E000 to U+FFFF
    const uint32_t lead = byte(0);
    if (lead > 0xE0 && lead < 0xF0 && lead != 0xED && text.size() - at >= 3 && (byte(1) & 0xC0) == 0x80 && (byte(2) & 0xC0) == 0x80)
      return {(lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F), 3, true, false};
  }
  return utf8_step_rest(text, at);
}
// The character at `at` where it is one of U+4E00 to U+9FFF, which most of a Chinese text are; else 0.
inline uint32_t utf8_common_han(std::string_view text, size_t at) {
  if (text.size() < 3 || at > text.size() - 3) return 0;
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[at + i])); };
  const uint32_t code = (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  return byte(0) >> 4 == 0xE && ((byte(1) ^ 0x80) | (byte(2) ^ 0x80)) < 0x40 && code - 0x4E00 < 0x5200 ? code : 0;
}

struct Utf8Size {
  size_t characters = 0;  // code points, and one for each invalid byte or lone surrogate
  bool valid = true;      // all of it is
};
// Vectorised for valid text.
Utf8Size utf8_size(std::string_view text);
inline size_t utf8_count(std::string_view text) { return utf8_size(text).characters; }
// True where all of it is valid. Vectorised.
bool utf8_valid(std::string_view text);
// The largest n <= end at which a character begins (so that text[0, n) cuts none); the size of the text where `end` is past it.
size_t utf8_floor(std::string_view text, size_t end);
// Appends the code point, surrogates too (as three bytes); past U+10FFFF it appends U+FFFD.
void utf8_append(std::string* out, uint32_t code);

}  // namespace vaa
