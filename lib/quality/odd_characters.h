// Characters that no answer should hold: U+FFFD, control characters, noncharacters, lone surrogates and invalid UTF-8 (docs/detectors.md).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vaa {

struct Spot {
  int64_t count = 0;
  size_t first = 0;   // byte
  size_t length = 0;  // bytes from the first one on that hold nothing else of the kind
};

struct OddCharacters {
  Spot replacement, control, invalid;
  size_t characters = 0;              // of the text
  uint64_t controls = 0;              // bit c of each control character c that was seen; DEL is bit 32
  size_t unfinished = 0;              // unfinished_bytes(text), counted in invalid
  bool ends_in_replacement = false;
};

constexpr uint64_t control_bit(unsigned char c) { return uint64_t{1} << (c == 0x7F ? 32 : c); }

// Bytes at the end that begin a character which is cut there: 0 to 3.
size_t unfinished_bytes(std::string_view text);

// Linear; valid text is read 16 bytes at a time. Control characters whose bit is in `ignored` are passed over.
OddCharacters find_odd_characters(std::string_view text, uint64_t ignored_controls = 0);

}  // namespace vaa
