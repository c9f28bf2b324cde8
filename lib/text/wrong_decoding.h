// What a character was before UTF-8 was read as another encoding: the kinds of the bytes that the encoding gives it. From a generated table, checked against ICU by a test.
#pragma once
#include <cstddef>
#include <cstdint>

namespace vaa {

enum class ReadAs : uint8_t { kGbk, kShiftJis, kWindows1252, kWindows1251, kKoi8, kByteLevel };  // kByteLevel: the letters of byte-level BPE (GPT-2's)

// What a byte may be in UTF-8. Leads of two bytes are told apart by what they write: Latin letters and accents, Cyrillic, Greek and Armenian, Hebrew and Arabic; those of rare
// letters are kOther.
enum class ByteKind : uint8_t { kOther, kContinuation, kLatin, kLeadOfThree, kLeadOfFour, kCyrillic, kGreek, kNearEast };

constexpr ByteKind byte_kind(uint8_t byte) {
  if (byte >= 0x80 && byte < 0xC0) return ByteKind::kContinuation;
  if ((byte >= 0xC2 && byte <= 0xC6) || byte == 0xCC) return ByteKind::kLatin;
  if (byte == 0xD0 || byte == 0xD1) return ByteKind::kCyrillic;
  if (byte == 0xCE || byte == 0xCF || (byte >= 0xD4 && byte <= 0xD6)) return ByteKind::kGreek;
  if (byte >= 0xD7 && byte <= 0xDB) return ByteKind::kNearEast;
  if (byte >= 0xE0 && byte < 0xF0) return ByteKind::kLeadOfThree;
  return byte >= 0xF0 && byte <= 0xF4 ? ByteKind::kLeadOfFour : ByteKind::kOther;
}

struct ByteKinds {
  ByteKind kinds[2] = {ByteKind::kOther, ByteKind::kOther};
  uint8_t size = 0;  // bytes, 1 or 2
};

// Two-stage, of U+0000 to U+FFFF. Three bits a byte: GBK 0 and 3, Shift-JIS 6 and 9, Windows-1252 12, Windows-1251 15, KOI8-R 18, byte-level 21.
namespace wrong_decoding_tables {
constexpr uint32_t kBlockBits = 6;
constexpr uint32_t kBlockSize = 1U << kBlockBits;
constexpr uint32_t kCodeEnd = 0x10000;
extern const uint16_t kBlocks[kCodeEnd >> kBlockBits];
extern const uint32_t kKinds[];
}  // namespace wrong_decoding_tables

namespace wrong_decoding_tables {
inline uint32_t entry(uint32_t code) {
  return code >= kCodeEnd ? 0 : kKinds[static_cast<size_t>(kBlocks[code >> kBlockBits]) << kBlockBits | (code & (kBlockSize - 1))];
}
constexpr int shift(ReadAs read_as) {
  constexpr int kShifts[] = {0, 6, 12, 15, 18, 21};
  return kShifts[static_cast<size_t>(read_as)];
}
}  // namespace wrong_decoding_tables

// Of a code point beyond ASCII; kOther where the encoding has no such character.
inline ByteKinds byte_kinds(ReadAs read_as, uint32_t code) {
  const uint32_t kinds = wrong_decoding_tables::entry(code) >> wrong_decoding_tables::shift(read_as);
  if (read_as > ReadAs::kShiftJis) return {{static_cast<ByteKind>(kinds & 7)}, 1};
  const bool one = read_as == ReadAs::kShiftJis && code >= 0xFF61 && code <= 0xFF9F;
  return {{static_cast<ByteKind>(kinds & 7), static_cast<ByteKind>(kinds >> 3 & 7)}, static_cast<uint8_t>(one ? 1 : 2)};
}

}  // namespace vaa
