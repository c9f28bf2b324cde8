#include <random>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/json_scan.h"
#include "base/utf8_sequence.h"
#include "catch.h"
#include "json_walk.h"

using namespace vaa;
using namespace std::string_literals;

namespace {

struct Text {
  bool read = false;
  std::string value;
  JsonOddities oddities;
};

Text text_of(std::string_view document) {
  JsonReader reader(document);
  Text out;
  out.read = reader.string(&out.value) && reader.finish();
  out.oddities = reader.oddities();
  const auto skipped = testing::skip(document);
  CHECK(skipped.accepted == out.read);
  CHECK(skipped.oddities.nul == out.oddities.nul);
  CHECK(skipped.oddities.invalid_utf8 == out.oddities.invalid_utf8);
  CHECK(skipped.oddities.lone_surrogates == out.oddities.lone_surrogates);
  return out;
}

}  // namespace

TEST_CASE("json text: escapes stand for their characters", "[json]") {
  CHECK(text_of("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"").value == "\"\\/\b\f\n\r\t");
  CHECK(text_of("\"\\u0041\\u00e9\\u4F60\\u597d\\uFFFF\\u07ff\\u0800\\u007f\\u0080\"").value == "Aé你好\xef\xbf\xbf\xdf\xbf\xe0\xa0\x80\x7f\xc2\x80");
  CHECK(text_of("\"\\ud83d\\ude00\\uD800\\uDC00\\udbff\\udfff\"").value == "😀\xf0\x90\x80\x80\xf4\x8f\xbf\xbf");
  CHECK(text_of("\"a\\nb 你\\u597d c\"").value == "a\nb 你好 c");
  CHECK(text_of("\"\\ud83d\\ude00\"").oddities.lone_surrogates == 0);
}

TEST_CASE("json text: an escaped lone surrogate is kept as its three bytes and counted", "[json]") {
  struct Case {
    std::string document, value;
    int64_t count;
  };
  const std::vector<Case> cases = {{"\"\\ud800\"", "\xed\xa0\x80", 1}, {"\"x\\udfffy\"", "x\xed\xbf\xbfy", 1}, {"\"\\ud83d\\ud83d\\ude00\"", "\xed\xa0\xbd😀", 1},
    {"\"\\ude00\\ud83d\"", "\xed\xb8\x80\xed\xa0\xbd", 2}, {"\"\\ud83dx\\ude00\"", "\xed\xa0\xbdx\xed\xb8\x80", 2}, {"\"\\ud83d\\n\"", "\xed\xa0\xbd\n", 1}, {"\"\\ud83d\\u0041\"", "\xed\xa0\xbd" "A", 1}};
  for (const auto& c : cases) {
    INFO(c.document);
    const Text text = text_of(c.document);
    CHECK(text.read);
    CHECK(text.value == c.value);
    CHECK(text.oddities.lone_surrogates == c.count);
    CHECK(text.oddities.invalid_utf8 == 0);
  }
}

TEST_CASE("json text: NUL is kept, escaped or raw, and counted", "[json]") {
  const Text text = text_of("\"a\0b\\u0000\0\0c\""s);
  CHECK(text.read);
  CHECK(text.value == "a\0b\0\0\0c"s);
  CHECK(text.oddities.nul == 4);
  CHECK(text_of("\"" + std::string(1000, '\0') + "\"").oddities.nul == 1000);
}

TEST_CASE("json text: bytes that are no UTF-8 are kept and counted one by one", "[json]") {
  struct Case {
    std::string bytes;
    int64_t count;
  };
  // Unicode 15, table 3-7: what is not in it is invalid.
  const std::vector<Case> cases = {{"\xff", 1}, {"\x80", 1}, {"\xc0\xaf", 2}, {"\xc1\xbf", 2}, {"\xe0\x80\x80", 3}, {"\xe0\x9f\xbf", 3}, {"\xed\xa0\x80", 3}, {"\xed\xbf\xbf", 3}, {"\xf0\x80\x80\x80", 4},
    {"\xf0\x8f\xbf\xbf", 4}, {"\xf4\x90\x80\x80", 4}, {"\xf5\x80\x80\x80", 4}, {"\xe4\xbd", 2}, {"\xe4", 1}, {"\xf0\x9f\x98", 3}, {"\xe4\xbd\xa0\xbd", 1}, {"\xc3\xc3\xa9", 1}, {"\xc2\xa0\xe0\xa0\x80\xf0\x90\x80\x80", 0}};
  for (const auto& c : cases) {
    for (size_t before = 0; before < 36; ++before) {
      for (const char* after : {"", "z", "你", "0123456789abcdef0123456789"}) {
        const std::string bytes = std::string(before, 'x') + c.bytes + after;
        INFO(bytes);
        const Text text = text_of("\"" + bytes + "\"");
        CHECK(text.read);
        CHECK(text.value == bytes);
        CHECK(text.oddities.invalid_utf8 == c.count);
      }
    }
  }
}

TEST_CASE("json text: the vector scan stops where the scalar one does and finds the same bytes invalid", "[json]") {
  std::mt19937_64 random(7);
  const std::vector<std::string> pieces = {"a", "é", "你", "😀", "\xe4", "\xbd", "\xf0\x9f", "\xed\xa0\x80", "\xc0", "\xff", "hello", "好好好好好好", "\xf4\x8f\xbf\xbf", "\xf4\x90", "                    "};
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    const bool valid = random() % 2;
    while (text.size() < random() % 80) {
      const std::string& piece = pieces[random() % pieces.size()];
      const char* p = piece.data();
      if (!valid || (utf8_sequence(p, p + piece.size()) && piece.size() != 2) || piece == "é") text += piece;
    }
    const size_t at = text.size();
    if (random() % 4) text += std::string(1, "\"\\\n\0\x1f"[random() % 5]) + "\xff 你";
    const char* begin = text.data();
    const char* end = begin + text.size();
    for (const char* p = begin; p <= begin + at; p += utf8_sequence(p, end) ? utf8_sequence(p, end) : 1) {
      bool scalar = false, vector = false, ascii = false;
      const char* stop = json_scan::scan_unicode_scalar(p, end, &scalar);
      CHECK(json_scan::scan_unicode(p, end, &vector) == stop);
      CHECK(json_scan::scan_text(p, end, &ascii) == stop);
      CHECK(vector == scalar);
      CHECK(ascii == scalar);
      const char* first = nullptr;
      CHECK((json_scan::count_invalid(p, stop, &first) > 0) == scalar);
      if (p == end) break;
    }
  }
}

TEST_CASE("json text: UTF-8 is judged like table 3-7 of Unicode for every sequence of up to four bytes", "[json]") {
  const auto expected = [](uint32_t code) {
    if (code < 0x80) return 1;
    if (code < 0x800) return 2;
    if (code >= 0xD800 && code <= 0xDFFF) return 0;
    return code < 0x10000 ? 3 : 4;
  };
  // Every code point as the bits of UTF-8 would write it, surrogates and those beyond 10FFFF too.
  for (uint32_t code = 0; code < 0x140000; ++code) {
    char b[4];
    int size = 1;
    if (code < 0x80) {
      b[0] = static_cast<char>(code);
    } else if (code < 0x800) {
      size = 2;
      b[0] = static_cast<char>(0xC0 | code >> 6);
    } else if (code < 0x10000) {
      size = 3;
      b[0] = static_cast<char>(0xE0 | code >> 12);
    } else {
      size = 4;
      b[0] = static_cast<char>(0xF0 | code >> 18);
    }
    for (int i = 1; i < size; ++i) b[i] = static_cast<char>(0x80 | (code >> (6 * (size - 1 - i)) & 0x3F));
    const int want = code > 0x10FFFF ? 0 : expected(code);
    bool invalid = false;
    std::string text(b, static_cast<size_t>(size));
    text += "\"01234567890123456789";
    if (static_cast<int>(utf8_sequence(b, b + size)) != want) FAIL(code);
    if (want && utf8_code(b, static_cast<size_t>(size)) != code) FAIL(code);
    if (code < 0x80) continue;
    json_scan::scan_unicode(text.data(), text.data() + text.size(), &invalid);
    if (invalid != (want == 0)) FAIL(code);
  }
}

TEST_CASE("json text: text without an escape is not copied", "[json]") {
  const std::string document = "[\"plain 你好\", \"with\\nescape\", \"\"]";
  JsonReader reader(document);
  std::string_view text;
  REQUIRE(reader.array());
  REQUIRE(reader.element());
  REQUIRE(reader.string(&text));
  CHECK(text.data() == document.data() + 2);
  REQUIRE(reader.element());
  REQUIRE(reader.string(&text));
  CHECK(text == "with\nescape");
  REQUIRE(reader.element());
  REQUIRE(reader.string(&text));
  CHECK(text.empty());
}

TEST_CASE("json text: escapes and runs of every length come together", "[json]") {
  // One pattern of pieces at all lengths around the blocks of the scan and the growth of the copy.
  for (size_t length = 0; length < 600; length += length < 70 ? 1 : 37) {
    const std::string ascii(length, 'a');
    std::string chinese;
    for (size_t i = 0; i < length; ++i) chinese += "好";
    std::string document = "\"", value;
    for (int i = 0; i < 3; ++i) {
      document += ascii + "\\u4f60" + chinese + "\\n" + ascii + "\\ud83d\\ude00\\\"" + chinese;
      value += ascii + "你" + chinese + "\n" + ascii + "😀\"" + chinese;
    }
    document += "\"";
    INFO(length);
    const Text text = text_of(document);
    CHECK(text.read);
    CHECK(text.value == value);
    CHECK(text.oddities.invalid_utf8 == 0);
  }
}
