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
// utf8_step for what is not ASCII, and at the end.
Utf8Step utf8_step_rest(std::string_view text, size_t at);
// The step at `at`; an invalid sequence takes one byte (a lone surrogate three).
inline Utf8Step utf8_step(std::string_view text, size_t at) {
  if (at < text.size()) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x80) return {byte, 1, true, false};
  }
  return utf8_step_rest(text, at);
}

// Characters in the text: code points, and one for each invalid byte or lone surrogate. Vectorised for valid text.
size_t utf8_count(std::string_view text);
// True where all of it is valid. Vectorised.
bool utf8_valid(std::string_view text);
// The largest n <= end at which a character begins (so that text[0, n) cuts none); the size of the text where `end` is past it.
size_t utf8_floor(std::string_view text, size_t end);
// Appends the code point, surrogates too (as three bytes); past U+10FFFF it appends U+FFFD.
void utf8_append(std::string* out, uint32_t code);

}  // namespace vaa
