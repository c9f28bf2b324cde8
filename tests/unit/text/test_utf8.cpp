#include "text/utf8.h"

#include <random>
#include <string>
#include <string_view>

#include "catch.h"

using vaa::utf8_append;
using vaa::utf8_common_han;
using vaa::utf8_count;
using vaa::utf8_floor;
using vaa::utf8_step;
using vaa::utf8_valid;
using vaa::Utf8Step;

namespace {

struct Range {
  unsigned low, high;
};

// The rows of Unicode's table 3-7 (well-formed UTF-8 byte sequences), and below them the form of a surrogate.
struct Form {
  size_t size;
  Range bytes[4];
};
constexpr Form kForms[] = {
    {1, {{0x00, 0x7F}, {}, {}, {}}},
    {2, {{0xC2, 0xDF}, {0x80, 0xBF}, {}, {}}},
    {3, {{0xE0, 0xE0}, {0xA0, 0xBF}, {0x80, 0xBF}, {}}},
    {3, {{0xE1, 0xEC}, {0x80, 0xBF}, {0x80, 0xBF}, {}}},
    {3, {{0xED, 0xED}, {0x80, 0x9F}, {0x80, 0xBF}, {}}},
    {3, {{0xEE, 0xEF}, {0x80, 0xBF}, {0x80, 0xBF}, {}}},
    {4, {{0xF0, 0xF0}, {0x90, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}}},
    {4, {{0xF1, 0xF3}, {0x80, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}}},
    {4, {{0xF4, 0xF4}, {0x80, 0x8F}, {0x80, 0xBF}, {0x80, 0xBF}}},
};
constexpr Form kSurrogate = {3, {{0xED, 0xED}, {0xA0, 0xBF}, {0x80, 0xBF}, {}}};

bool matches(std::string_view text, const Form& form) {
  if (text.size() < form.size) return false;
  for (size_t i = 0; i < form.size; ++i) {
    const unsigned byte = static_cast<unsigned char>(text[i]);
    if (byte < form.bytes[i].low || byte > form.bytes[i].high) return false;
  }
  return true;
}

Utf8Step expected_step(std::string_view rest) {
  if (rest.empty()) return {};
  const auto code = [&](size_t size) {
    uint32_t value = static_cast<unsigned char>(rest[0]) & (size == 1 ? 0x7F : 0xFF >> (size + 1));
    for (size_t i = 1; i < size; ++i) value = value * 64 + (static_cast<unsigned char>(rest[i]) - 0x80);
    return value;
  };
  for (const Form& form : kForms) {
    if (matches(rest, form)) return {code(form.size), static_cast<uint8_t>(form.size), true, false};
  }
  if (matches(rest, kSurrogate)) return {code(3), 3, false, true};
  return {static_cast<unsigned char>(rest[0]), 1, false, false};
}

bool same(const Utf8Step& a, const Utf8Step& b) {
  return a.code == b.code && a.size == b.size && a.valid == b.valid && a.surrogate == b.surrogate;
}

// Every function against the forms above.
void check_text(const std::string& text) {
  size_t count = 0, last = 0;
  bool valid = true, steps_agree = true, floors_agree = true;
  for (size_t at = 0; at < text.size();) {
    const Utf8Step want = expected_step(std::string_view(text).substr(at));
    steps_agree = steps_agree && same(utf8_step(text, at), want);
    valid = valid && want.valid;
    ++count;
    for (size_t end = at; end < at + want.size; ++end) floors_agree = floors_agree && utf8_floor(text, end) == at;
    at += want.size;
    last = at;
  }
  if (steps_agree && floors_agree && last == text.size() && utf8_count(text) == count && utf8_valid(text) == valid) return;
  std::string hex;
  for (const char c : text) hex += "0123456789ABCDEF"[static_cast<unsigned char>(c) / 16], hex += "0123456789ABCDEF"[static_cast<unsigned char>(c) % 16];
  FAIL("bytes " << hex << ": steps " << steps_agree << ", floors " << floors_agree << ", end " << last << ", count " << utf8_count(text) << " for " << count
                << ", valid " << utf8_valid(text) << " for " << valid);
}

}  // namespace

TEST_CASE("utf8: a step at the end takes nothing", "[text]") {
  CHECK(utf8_step("", 0).size == 0);
  CHECK(utf8_step("a", 1).size == 0);
  CHECK(utf8_step("a", 99).size == 0);
  CHECK_FALSE(utf8_step("a", 1).valid);
  CHECK(utf8_count("") == 0);
  CHECK(utf8_valid(""));
}

TEST_CASE("utf8: every sequence of two bytes, and of three and four with bytes at the edges of the forms", "[text]") {
  for (unsigned a = 0; a < 256; ++a) {
    for (unsigned b = 0; b < 256; ++b) check_text({static_cast<char>(a), static_cast<char>(b)});
  }
  const std::string edges("\x00\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xE1\xEC\xED\xEE\xEF\xF0\xF1\xF3\xF4\xF5\xFF", 24);
  for (char a : edges) {
    for (char b : edges) {
      for (char c : edges) {
        check_text({a, b, c});
        if (static_cast<unsigned char>(a) < 0xED) continue;
        for (char d : edges) check_text({a, b, c, d});
      }
    }
  }
}

TEST_CASE("utf8: every code point goes in and comes out", "[text]") {
  for (uint32_t code = 0; code < 0x110000; ++code) {
    std::string text;
    utf8_append(&text, code);
    const Utf8Step step = utf8_step(text, 0);
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    if (step.code != code || step.size != text.size() || step.valid == surrogate || step.surrogate != surrogate) {
      FAIL("code point " << code);
    }
  }
  std::string beyond;
  utf8_append(&beyond, 0x110000);
  CHECK(beyond == "\xEF\xBF\xBD");
}

TEST_CASE("utf8: long texts, valid and broken anywhere, agree with the table of well-formed sequences", "[text]") {
  std::mt19937_64 random(20);
  const auto below = [&](uint64_t n) { return random() % n; };
  for (int round = 0; round < 1500; ++round) {
    std::string text;
    const size_t size = below(round % 10 == 0 ? 5000 : 300);
    const uint64_t style = below(4);
    while (text.size() < size) {
      const uint64_t kind = style == 0 ? 0 : below(8);
      uint32_t code = static_cast<uint32_t>(kind < 3 ? below(0x80) : kind < 4 ? below(0x800) : kind < 7 ? below(0x10000) : below(0x110000));
      if (code >= 0xD800 && code < 0xE000) code = 0x4E2D;
      utf8_append(&text, code);
    }
    check_text(text);
    REQUIRE(utf8_valid(text));
    if (text.empty()) continue;
    std::string cut = text.substr(0, text.size() - 1);
    check_text(cut);
    std::string broken = text;
    for (uint64_t i = 0; i <= below(3); ++i) broken[below(broken.size())] = static_cast<char>(below(256));
    check_text(broken);
    std::string surrogate = text;
    surrogate.insert(utf8_floor(text, below(text.size())), "\xED\xA0\x80");
    check_text(surrogate);
  }
}

TEST_CASE("utf8: one wrong byte is found at every place of a long text", "[text]") {
  std::string text;
  while (text.size() < 200) text += "ab\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80";
  for (size_t at = 0; at < text.size(); ++at) {
    for (const char wrong : {'a', '\x80', '\xC0', '\xE4', '\xED', '\xF4', '\xFF'}) {
      std::string broken = text;
      broken[at] = wrong;
      check_text(broken);
    }
  }
}

TEST_CASE("utf8: the floor never cuts a character", "[text]") {
  const std::string text = "a\xE4\xB8\xAD\xF0\x9F\x98\x80";
  CHECK(utf8_floor(text, 0) == 0);
  CHECK(utf8_floor(text, 1) == 1);
  CHECK(utf8_floor(text, 2) == 1);
  CHECK(utf8_floor(text, 3) == 1);
  CHECK(utf8_floor(text, 4) == 4);
  CHECK(utf8_floor(text, 7) == 4);
  CHECK(utf8_floor(text, 8) == 8);
  CHECK(utf8_floor(text, 1000) == 8);
}

TEST_CASE("utf8: common Han is what the code point says, at any place and nowhere else", "[text]") {
  for (uint32_t code = 0; code < 0x11000; ++code) {
    std::string text = "\xE4";  // unfinished
    utf8_append(&text, code);
    REQUIRE(utf8_common_han(text, 1) == (code >= 0x4E00 && code <= 0x9FFF ? code : 0));
    REQUIRE(utf8_common_han(text, 0) == 0);
    text.pop_back();
    REQUIRE(utf8_common_han(text, 1) == 0);
  }
  for (const char* broken : {"\xE4\xB8", "\xE4\xB8z", "\xE4z\xAD", "\xE4\xB8\xC0", "\xD4\xB8\xAD", "\xF4\xB8\xAD"}) CHECK(utf8_common_han(broken, 0) == 0);
  CHECK(utf8_common_han("", 0) == 0);
  CHECK(utf8_common_han("\xE4\xB8\xAD", 1) == 0);
}
