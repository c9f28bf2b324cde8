#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/json_writer.h"
#include "base/shortest.h"
#include "base/utf8_sequence.h"
#include "catch.h"
#include "json_walk.h"

using namespace vaa;
using namespace std::string_literals;

namespace {

std::string written(std::string_view text) {
  std::string out;
  append_json_string(&out, text);
  return out;
}

std::string number(double value) {
  std::string out;
  append_number(&out, value);
  return out;
}

std::string random_text(std::mt19937_64& random) {
  static const std::vector<std::string> kPieces = {"a", "\"", "\\", "/", "\n", "\t", "\0"s, "\x1b", "\x7f", "é", "\xc2\x85", "你", "\xe2\x80\xa8", "😀", "plain text of some length", "\xed\xa0\x80"};
  std::string out;
  for (size_t i = random() % 8; i > 0; --i) out += kPieces[random() % kPieces.size()] + "x";
  return out;
}

// Writes a random value and says in the notation of json_walk.h what must be read back. Without invalid bytes, but with lone surrogates.
std::string write_random(std::mt19937_64& random, JsonWriter& writer, int depth) {
  std::string text;
  switch (random() % (depth > 4 ? 6 : 8)) {
    case 0: writer.null(); return "null";
    case 1: writer.boolean(true); return "true";
    case 2: writer.boolean(false); return "false";
    case 3: {
      const auto value = static_cast<int64_t>(random()) >> (random() % 64);
      writer.integer(value);
      return std::to_string(value);
    }
    case 4: {
      const double value = std::ldexp(static_cast<double>(static_cast<int64_t>(random())), static_cast<int>(random() % 200) - 150);
      writer.real(value);
      return number(value);
    }
    case 5:
      text = random_text(random);
      writer.string(text);
      return written(text);
    case 6: {
      std::string events = "[";
      writer.begin_array();
      for (size_t i = random() % 5; i > 0; --i) events += write_random(random, writer, depth + 1) + " ";
      writer.end_array();
      return events + "]";
    }
    default: {
      std::string events = "{";
      writer.begin_object();
      for (size_t i = random() % 5; i > 0; --i) {
        text = random_text(random);
        writer.key(text);
        events += written(text) + ":" + write_random(random, writer, depth + 1) + " ";
      }
      writer.end_object();
      return events + "}";
    }
  }
}

}  // namespace

TEST_CASE("json writer: what is written is read back equal, on one line and indented", "[json]") {
  std::mt19937_64 random(21);
  for (int i = 0; i < 4000; ++i) {
    std::string out;
    JsonWriter writer(&out, i % 3);
    const std::string events = write_random(random, writer, 0);
    const auto read = testing::read(out);
    INFO(out);
    CHECK(read.accepted);
    CHECK(read.events == events);
    CHECK(testing::skip(out).accepted);
    if (i % 3 == 0) CHECK(out.find('\n') == std::string::npos);
  }
}

TEST_CASE("json writer: the layout", "[json]") {
  const auto layout = [](int indent) {
    std::string out;
    JsonWriter writer(&out, indent);
    writer.begin_object().member("a", int64_t{1}).key("b").begin_array().integer(1).string("x").begin_object().end_object().begin_array().end_array().end_array().member("c", true).member("d", "t");
    writer.member("e", 0.5).member("f", 2).member("g", std::string_view("v")).key("h").raw("[1,2]").key("i").null().end_object();
    return out;
  };
  CHECK(layout(0) == "{\"a\": 1, \"b\": [1, \"x\", {}, []], \"c\": true, \"d\": \"t\", \"e\": 0.5, \"f\": 2, \"g\": \"v\", \"h\": [1,2], \"i\": null}");
  CHECK(layout(2) == "{\n  \"a\": 1,\n  \"b\": [\n    1,\n    \"x\",\n    {},\n    []\n  ],\n  \"c\": true,\n  \"d\": \"t\",\n  \"e\": 0.5,\n  \"f\": 2,\n  \"g\": \"v\",\n  \"h\": [1,2],\n  \"i\": null\n}");
}

TEST_CASE("json writer: text comes out as valid UTF-8 without a control character", "[json]") {
  CHECK(written("a\"b\\c/\n\r\t\b\f") == "\"a\\\"b\\\\c/\\n\\r\\t\\b\\f\"");
  CHECK(written("\0\x1b\x1f\x7f"s) == "\"\\u0000\\u001b\\u001f\\u007f\"");
  CHECK(written("\xc2\x80\xc2\x9f\xc2\xa0") == "\"\\u0080\\u009f\xc2\xa0\"");
  CHECK(written("\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaf") == "\"\xe2\x80\xa7\\u2028\\u2029\xe2\x80\xaf\"");
  CHECK(written("你好 😀 é") == "\"你好 😀 é\"");
  CHECK(written("\xff\x80") == "\"\\udcff\\udc80\"");
  CHECK(written("\xed\xa0\x80 \xed\xbf\xbf") == "\"\\ud800 \\udfff\"");
  CHECK(written("\xe4\xbd") == "\"\\udce4\\udcbd\"");
  CHECK(written("") == "\"\"");
  CHECK(written(std::string_view()) == "\"\"");
  std::mt19937_64 random(22);
  for (int i = 0; i < 20000; ++i) {
    std::string bytes;
    for (size_t n = random() % 24; n > 0; --n) bytes += static_cast<char>(random() % 3 ? "\xe4\xbd\xa0\xc2\xed\xa0\xf0\x9f"[random() % 8] : static_cast<char>(random()));
    const std::string out = written(bytes);
    const char* p = out.data();
    const char* end = p + out.size();
    while (p < end && static_cast<uint8_t>(*p) >= 0x20 && utf8_sequence(p, end)) p += utf8_sequence(p, end);
    CHECK(p == end);
    CHECK(testing::read(out).accepted);
  }
}

TEST_CASE("json writer: numbers", "[json]") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(number(0) == "0");
  CHECK(number(-0.0) == "-0");
  CHECK(number(1) == "1");
  CHECK(number(-1e15) == "-1000000000000000");
  CHECK(number(9007199254740992.0) == "9007199254740992");
  CHECK(number(0.1) == "0.1");
  CHECK(number(1e23) == "1e+23");
  CHECK(number(5e-324) == "5e-324");
  CHECK(number(std::numeric_limits<double>::quiet_NaN()) == "null");
  CHECK(number(infinity) == "\"inf\"");
  CHECK(number(-infinity) == "\"-inf\"");
  std::string out;
  JsonWriter(&out).begin_array().integer(std::numeric_limits<int64_t>::min()).integer(std::numeric_limits<int64_t>::max()).real(0.25).real(-infinity).end_array();
  CHECK(out == "[-9223372036854775808, 9223372036854775807, 0.25, \"-inf\"]");
}

TEST_CASE("json writer: every double reads back as itself in the fewest digits, with either way to print", "[json]") {
  std::mt19937_64 random(23);
  for (int i = 0; i < 20000; ++i) {
    uint64_t bits = random();
    if (i % 2) bits = (bits & ~(uint64_t{0x7FF} << 52)) | (uint64_t{1023 - 40} + random() % 80) << 52;
    if (i % 4 == 1) bits &= ~uint64_t{0} << (random() % 50);
    if (i % 16 == 0) bits = bits << 1 >> (12 + random() % 50);
    double value;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    std::string first, second;
    append_shortest(&first, value);
    append_shortest_by_trial(&second, value);
    if (first != second) FAIL(first << " " << second);
    const double back = std::strtod(first.c_str(), nullptr);
    if (std::memcmp(&back, &value, sizeof back) != 0) FAIL(first);
    if (value > 0 && std::strtod(number(value).c_str(), nullptr) != value) FAIL(first);
  }
}

TEST_CASE("json writer: marks and overrides of direction are escaped, joiners are not", "[base]") {
  std::string out;
  vaa::append_json_string(&out, "\u200e\u200f\u202a\u202e\u2066\u2069 \u200d\u202f\u2065");
  CHECK(out == "\"\\u200e\\u200f\\u202a\\u202e\\u2066\\u2069 \u200d\u202f\u2065\"");
}
