#include "text/unicode.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <string>

#include "catch.h"

using vaa::Category;
using vaa::code_properties;
using vaa::CodeProperties;

TEST_CASE("unicode: every code point has the properties that ICU gives it", "[text]") {
  if (std::string(U_UNICODE_VERSION) + ".0" != vaa::kUnicodeVersion) {
    WARN("skipped: ICU has Unicode " << U_UNICODE_VERSION << ", the tables " << vaa::kUnicodeVersion);
    return;
  }
  size_t wrong = 0;
  for (UChar32 code = 0; code < 0x110000; ++code) {
    UErrorCode status = U_ZERO_ERROR;
    const CodeProperties properties = code_properties(static_cast<uint32_t>(code));
    const bool same = static_cast<int>(properties.category) == u_charType(code) && properties.script == uscript_getScript(code, &status) &&
                      properties.emoji == (u_hasBinaryProperty(code, UCHAR_EXTENDED_PICTOGRAPHIC) || u_hasBinaryProperty(code, UCHAR_EMOJI_PRESENTATION)) &&
                      properties.ideographic == (u_hasBinaryProperty(code, UCHAR_IDEOGRAPHIC) != 0) &&
                      properties.white_space == (u_hasBinaryProperty(code, UCHAR_WHITE_SPACE) != 0) &&
                      properties.noncharacter == (u_hasBinaryProperty(code, UCHAR_NONCHARACTER_CODE_POINT) != 0) &&
                      vaa::is_letter(static_cast<uint32_t>(code)) == (u_isalpha(code) != 0) &&
                      vaa::is_white_space(static_cast<uint32_t>(code)) == (u_hasBinaryProperty(code, UCHAR_WHITE_SPACE) != 0);
    if (!same || U_FAILURE(status)) {
      ++wrong;
      if (wrong < 10) UNSCOPED_INFO("code point " << code);
    }
  }
  CHECK(wrong == 0);
}

// Values from the Unicode Character Database 15.0, UnicodeData.txt and Scripts.txt.
TEST_CASE("unicode: known characters", "[text]") {
  CHECK(code_properties('A').category == Category::kUpper);
  CHECK(code_properties(' ').category == Category::kSpace);
  CHECK(code_properties(0x4E2D).category == Category::kOtherLetter);
  CHECK(code_properties(0x4E2D).script == 17);  // Hani
  CHECK(code_properties(0x4E2D).ideographic);
  CHECK(code_properties(0x1F600).emoji);
  CHECK(code_properties(0x3000).white_space);
  CHECK(code_properties(0xFFFD).category == Category::kOtherSymbol);
  CHECK(code_properties(0xD800).category == Category::kSurrogate);
  CHECK(code_properties(0xE000).category == Category::kPrivate);
  CHECK(code_properties(0x31350).category == Category::kOtherLetter);  // new in 15.0
}

TEST_CASE("unicode: past the last code point all is unassigned", "[text]") {
  for (const uint32_t code : {0x110000U, 0x11FFFEU, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    const CodeProperties properties = code_properties(code);
    CHECK(properties.category == Category::kUnassigned);
    CHECK(properties.script == 103);
    CHECK_FALSE(properties.noncharacter);
    CHECK_FALSE(vaa::is_letter(code));
    CHECK_FALSE(vaa::is_white_space(code));
  }
}
