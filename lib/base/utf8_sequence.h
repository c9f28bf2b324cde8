// One well-formed UTF-8 sequence (RFC 3629) at a time, for base; text/utf8.h is what the layers above use.
#pragma once
#include <cstddef>
#include <cstdint>

namespace vaa {

// Bytes of the well-formed sequence that begins at `p` (1 to 4); 0 when there is none. Reads nothing at or past `end`. Unicode 15, table 3-7.
inline size_t utf8_sequence(const char* p, const char* end) {
  const auto at = [p](int i) { return static_cast<uint8_t>(p[i]); };
  const auto tail = [&at](int i) { return (at(i) & 0xC0) == 0x80; };
  const ptrdiff_t left = end - p;
  if (left < 1) return 0;
  const uint8_t lead = at(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4 || left < 2 || !tail(1)) return 0;
  if (lead < 0xE0) return 2;
  if (left < 3 || !tail(2)) return 0;
  if (lead < 0xF0) {
    if (lead == 0xE0 && at(1) < 0xA0) return 0;
    if (lead == 0xED && at(1) > 0x9F) return 0;
    return 3;
  }
  if (left < 4 || !tail(3)) return 0;
  if (lead == 0xF0 && at(1) < 0x90) return 0;
  if (lead == 0xF4 && at(1) > 0x8F) return 0;
  return 4;
}

// The code point of the well-formed sequence of `size` bytes at `p`.
inline uint32_t utf8_code(const char* p, size_t size) {
  const auto at = [p](int i) { return static_cast<uint32_t>(static_cast<uint8_t>(p[i])); };
  if (size == 1) return at(0);
  if (size == 2) return (at(0) & 0x1F) << 6 | (at(1) & 0x3F);
  if (size == 3) return (at(0) & 0x0F) << 12 | (at(1) & 0x3F) << 6 | (at(2) & 0x3F);
  return (at(0) & 0x07) << 18 | (at(1) & 0x3F) << 12 | (at(2) & 0x3F) << 6 | (at(3) & 0x3F);
}

// True where `p` begins the three bytes ED A0..BF xx that stand for a lone surrogate.
inline bool utf8_surrogate(const char* p, const char* end) {
  return end - p >= 3 && static_cast<uint8_t>(p[0]) == 0xED && static_cast<uint8_t>(p[1]) >= 0xA0 && static_cast<uint8_t>(p[1]) <= 0xBF &&
         (static_cast<uint8_t>(p[2]) & 0xC0) == 0x80;
}

}  // namespace vaa
