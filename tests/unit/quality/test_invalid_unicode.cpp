#include "judging.h"
#include "quality/odd_characters.h"
#include "text/utf8.h"

using namespace vaa;
using judging::Given;

TEST_CASE("invalid_unicode: lone surrogates, noncharacters, invalid UTF-8", "[quality]") {
  for (const char* bad : {"\xED\xA0\xBD", "\xEF\xBF\xBE", "\xEF\xB7\x90", "\xF0\x9F\xBF\xBF", "\xF4\x8F\xBF\xBE", "\xC3(", "\xFF", "\xC0\x80", "\xE4\xB8 ", "\x80"}) {
    const auto said = Given().text("Hello there, and some more text before it: " + std::string(bad) + " and welcome.").finish("stop").judge();
    CHECK(said.failing("invalid_unicode"));
    CHECK(said.first("invalid_unicode").onset_byte == 43);
  }
  CHECK(Given().text("Grüße, 你好, привет, 🎈, ～！").finish("stop").judge().clear("invalid_unicode"));
}

TEST_CASE("invalid_unicode: every code point is classed alone and in the middle of a block", "[quality]") {
  for (const size_t before : {size_t{0}, size_t{29}}) {
    int64_t replacement = 0, control = 0, invalid = 0;
    for (uint32_t code = 0; code < 0x110000; ++code) {
      std::string text(before, 'x');
      utf8_append(&text, code);
      text.append(before, 'y');
      const OddCharacters odd = find_odd_characters(text);
      const bool surrogate = code >= 0xD800 && code < 0xE000;
      const bool noncharacter = (code & 0xFFFE) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF);
      const bool bad_control = (code < 0x20 && code != 9 && code != 10 && code != 13) || code == 0x7F;
      if (odd.invalid.count != (surrogate || noncharacter) || odd.replacement.count != (code == 0xFFFD) || odd.control.count != bad_control) {
        FAIL("code point " << code);
      }
      replacement += odd.replacement.count;
      control += odd.control.count;
      invalid += odd.invalid.count;
    }
    CHECK(replacement == 1);
    CHECK(control == 30);
    CHECK(invalid == 2048 + 66);
  }
}

TEST_CASE("invalid_unicode: a character that the limit cut is no fault", "[quality]") {
  const char* const text = "第一滴\xE9\x9B";
  CHECK(Given().text(text).finish("length").judge().clear("invalid_unicode"));
  CHECK(Given().text(text).finish("stop").judge().failing("invalid_unicode"));
  CHECK_FALSE(Given().text(text).judge().failing("invalid_unicode"));
  CHECK(Given().text("\xFF" + std::string(text)).finish("length").judge().failing("invalid_unicode"));
}

TEST_CASE("invalid_unicode: not what the prompt holds", "[quality]") {
  CHECK(Given().prompt("Mend this: \xFF").text("It was \xFF.").judge().clear("invalid_unicode"));
}
