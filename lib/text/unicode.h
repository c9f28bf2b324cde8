// Properties of code points from one named Unicode version, the same on every host. Two-stage tables, generated (unicode_tables.cpp), checked against ICU by a test.
#pragma once
#include <cstddef>
#include <cstdint>

namespace vaa {

constexpr const char* kUnicodeVersion = "15.0.0";

enum class Category : uint8_t { kUnassigned, kUpper, kLower, kTitle, kModifierLetter, kOtherLetter, kNonspacingMark, kEnclosingMark, kSpacingMark, kDecimalDigit,
  kLetterNumber, kOtherNumber, kSpace, kLineSeparator, kParagraphSeparator, kControl, kFormat, kPrivate, kSurrogate, kDash, kOpen, kClose, kConnector,
  kOtherPunctuation, kMath, kCurrency, kModifierSymbol, kOtherSymbol, kInitialQuote, kFinalQuote };  // the order of ICU's UCharCategory

struct CodeProperties {
  Category category;
  uint8_t script;          // ISO 15924 by ICU's UScriptCode number, below 256
  bool emoji : 1;          // Extended_Pictographic, or Emoji_Presentation
  bool ideographic : 1;
  bool white_space : 1;    // White_Space
  bool noncharacter : 1;
};

// The tables: kBlocks[code >> kBlockBits] is the block of the code point, kCodes holds the blocks one after another. An entry is
// script << 8 | white_space << 7 | ideographic << 6 | emoji << 5 | category.
namespace unicode_tables {
constexpr uint32_t kBlockBits = 6;
constexpr uint32_t kBlockSize = 1U << kBlockBits;
constexpr uint32_t kCodeEnd = 0x110000;
constexpr uint8_t kUnknownScript = 103;
extern const uint16_t kBlocks[kCodeEnd >> kBlockBits];
extern const uint16_t kCodes[];
inline uint16_t entry(uint32_t code) {
  if (code >= kCodeEnd) return kUnknownScript << 8;
  return kCodes[static_cast<size_t>(kBlocks[code >> kBlockBits]) << kBlockBits | (code & (kBlockSize - 1))];
}
}  // namespace unicode_tables

// Any uint32; past U+10FFFF it is unassigned, its script unknown (103).
inline CodeProperties code_properties(uint32_t code) {
  const uint16_t entry = unicode_tables::entry(code);
  const bool noncharacter = (code < unicode_tables::kCodeEnd && (code & 0xFFFE) == 0xFFFE) || code - 0xFDD0 < 32;
  return {static_cast<Category>(entry & 31), static_cast<uint8_t>(entry >> 8), (entry >> 5 & 1) != 0, (entry >> 6 & 1) != 0,
          (entry >> 7 & 1) != 0, noncharacter};
}
// Lu Ll Lt Lm Lo
inline bool is_letter(uint32_t code) {
  const uint32_t category = unicode_tables::entry(code) & 31;
  return category - 1 < 5;
}
inline bool is_white_space(uint32_t code) { return (unicode_tables::entry(code) >> 7 & 1) != 0; }

}  // namespace vaa
