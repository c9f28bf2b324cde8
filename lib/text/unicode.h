// Properties of code points from one named Unicode version, the same on every host. Two-stage tables, generated (unicode_tables.cpp), checked against ICU by a test.
#pragma once
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
// Any uint32; past U+10FFFF it is unassigned.
CodeProperties code_properties(uint32_t code);
bool is_letter(uint32_t code);       // Lu Ll Lt Lm Lo
bool is_white_space(uint32_t code);

}  // namespace vaa
