// The words of a text, one after another.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "text/utf8.h"

namespace vaa {

struct ScannedWord {
  enum class Kind : uint8_t {
    kLetters,    // letters and marks of one word
    kCharacter,  // one Han or Kana character
    kUnspaced,   // one letter or mark of a script that puts no blanks between words (Thai, Lao, Khmer, Burmese, Tibetan, Yi)
    kNumber,     // letters and digits with a digit among them
    kSign,       // any other character, by itself
  };
  Kind kind = Kind::kSign;
  bool starts_line = false;  // a line feed stands before it
  uint32_t hash = 0;         // of its bytes; ASCII words without case
  size_t at = 0, size = 0;   // bytes
  size_t end() const { return at + size; }
};

namespace word_scan {
enum Class : uint8_t { kBlank, kLetter, kDigit, kOther, kBeyond };  // kBeyond: not ASCII
constexpr std::array<uint8_t, 256> make_classes() {
  std::array<uint8_t, 256> out{};
  for (size_t c = 0; c < 256; ++c)
    out[c] = c >= 0x80 ? kBeyond : (c | 0x20) >= 'a' && (c | 0x20) <= 'z' ? kLetter : c >= '0' && c <= '9' ? kDigit : c == ' ' || (c >= 9 && c <= 13) ? kBlank : kOther;
  return out;
}
inline constexpr std::array<uint8_t, 256> kClasses = make_classes();
inline uint8_t class_at(std::string_view text, size_t at) { return kClasses[static_cast<unsigned char>(text[at])]; }

constexpr uint64_t kMix = 0x9E3779B97F4A7C15, kNoCase = 0x2020202020202020, kHigh = 0x8080808080808080, kOnes = 0x0101010101010101;
inline uint64_t mixed(uint64_t hash, uint64_t piece) {
  hash = (hash ^ piece) * kMix;
  return hash ^ hash >> 29;
}
// How many of the eight bytes of `piece`, from the lowest on, are ASCII letters.
inline size_t letters_of(uint64_t piece) {
  const uint64_t low = (piece | kNoCase) & ~kHigh;
  const uint64_t from_a = low + (0x80 - 'a') * kOnes, past_z = low + (0x7F - 'z') * kOnes;
  const uint64_t others = ~(from_a & ~past_z & ~piece) & kHigh;
  return others == 0 ? 8 : static_cast<size_t>(__builtin_ctzll(others)) / 8;
}
// The next eight bytes, the first lowest, zeros behind the end.
inline uint64_t piece_at(std::string_view text, size_t at) {
  uint64_t piece = 0;
  if (at + 8 <= text.size()) std::memcpy(&piece, &text[at], 8);
  else if (at < text.size()) std::memcpy(&piece, &text[at], text.size() - at);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  piece = __builtin_bswap64(piece);
#endif
  return piece;
}

inline uint32_t hash_of(uint32_t code) { return static_cast<uint32_t>((code + 1) * kMix >> 16); }

// What begins at *at and is neither a word of ASCII letters alone, an ASCII sign nor a common Han character: reads it, or steps over it and returns false where it is a blank.
bool next_other(std::string_view text, size_t* at, ScannedWord* out);
}  // namespace word_scan

// The next word at or after *at, which moves behind it; false at the end. Linear over all calls.
[[gnu::always_inline]] inline bool next_word(std::string_view text, size_t* at, ScannedWord* out) {
  using namespace word_scan;
  out->starts_line = false;
  while (*at < text.size()) {
    const uint8_t first = class_at(text, *at);
    if (first == kBlank) {
      out->starts_line |= text[(*at)++] == '\n';
      continue;
    }
    if (first == kOther) {
      *out = {ScannedWord::Kind::kSign, out->starts_line, hash_of(static_cast<unsigned char>(text[*at])), *at, 1};
      ++*at;
      return true;
    }
    if (first == kLetter) {
      size_t end = *at, letters = 8;
      uint64_t hash = 0;
      while (letters == 8) {
        const uint64_t piece = piece_at(text, end);
        letters = letters_of(piece);
        const uint64_t mask = letters == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * letters) - 1;
        hash = mixed(hash, (piece | kNoCase) & mask);
        end += letters;
      }
      const uint8_t next = end < text.size() ? class_at(text, end) : static_cast<uint8_t>(kOther);
      if (next != kDigit && next != kBeyond) {
        *out = {ScannedWord::Kind::kLetters, out->starts_line, static_cast<uint32_t>(hash >> 16), *at, end - *at};
        *at = end;
        return true;
      }
    }
    if (const uint32_t han = first == kBeyond ? utf8_common_han(text, *at) : 0) {
      *out = {ScannedWord::Kind::kCharacter, out->starts_line, hash_of(han), *at, 3};
      *at += 3;
      return true;
    }
    if (next_other(text, at, out)) return true;
  }
  return false;
}

}  // namespace vaa
