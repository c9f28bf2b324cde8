#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "catch.h"
#include "json_walk.h"

using namespace vaa;
using namespace std::string_literals;
using Mode = JsonReader::Mode;

namespace {

// The document at the end of a block of its own size, so that AddressSanitizer sees a byte read past it.
struct Tight {
  explicit Tight(std::string_view text) : bytes(new char[text.size()]), size(text.size()) {
    if (size) std::memcpy(bytes.get(), text.data(), size);
  }
  std::string_view view() const { return {bytes.get(), size}; }
  std::unique_ptr<char[]> bytes;
  size_t size;
};

std::string nested(size_t depth, const std::string& open, const std::string& inside, const std::string& close) {
  std::string out;
  for (size_t i = 0; i < depth; ++i) out += open;
  out += inside;
  for (size_t i = 0; i < depth; ++i) out += close;
  return out;
}

}  // namespace

TEST_CASE("json: every form of RFC 8259 is read in both modes", "[json]") {
  const std::vector<std::string> documents = {
      "0", "-0", "1", "-1", "12345678", "123456789012345678901234567890", "0.0", "-0.5", "1.25", "1e5", "1E5", "1e+5", "1e-5", "1.5e300", "0e0", "0E-0", "1e400", "-1e-400",
      "true", "false", "null", "\"\"", "\"a\"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\u0000\"", "\"\\u00e9\\u4F60\\ud83d\\ude00\"", "\"\\uDBFF\\uDFFF\"", "\"/\"", "\"\x7f\"",
      "\"é你😀\"", "\"\xf4\x8f\xbf\xbf\"", "\"\xed\x9f\xbf\xee\x80\x80\"", "\"\xe2\x80\xa8\"", "\"\xef\xbb\xbf\"", "\"\xef\xbf\xbe\"",
      "[]", "[ ]", "[\n]", "{}", "{ }", "[1]", "[1,2]", "[ 1 , 2 ]", "[[],[[]],{}]", "{\"a\":1}", "{ \"a\" : 1 , \"b\" : [ ] }", "{\"\":0}", "{\"a\":1,\"a\":2}", "{\"a\\u0062\":1}",
      "[null,true,false,\"x\",1.5,{}]", " \t\r\n1 \t\r\n", "[1\t,\r2\n]", "[\"a\",\"b\"]", "{\"a\":{\"b\":{\"c\":[]}}}", "[123456789, 1, 12, 123, 1234, 12345, 123456, 1234567, 12345678]",
      "[1.1, 2.25, -3.5e-7, 4]", "\"" + std::string(100, 'x') + "\"", "[\"" + std::string(15, 'x') + "\"]", "\"" + std::string(16, 'x') + "\"", "\"" + std::string(17, 'x') + "\""};
  for (const auto& text : documents) {
    INFO(text);
    const Tight tight(text);
    for (const Mode mode : {Mode::kTolerant, Mode::kStrict}) {
      const auto outcome = testing::read(tight.view(), mode);
      CHECK(outcome.error == "");
      CHECK(outcome.accepted);
      CHECK(testing::skip(tight.view(), mode).accepted);
    }
  }
}

TEST_CASE("json: a malformed document is refused at the byte that is wrong, read or skipped", "[json]") {
  struct Case {
    std::string text, error;
    size_t at;
  };
  const std::string in_document = "the text ends inside the document", in_string = "the text ends inside a string", in_number = "the text ends inside a number";
  const std::string word = "a word that is none of true, false and null", number_byte = "a byte that does not belong to the number before it";
  const std::string control = "a control character inside a string", no_value = "expected a value", comma = "a comma before the closing bracket";
  const std::string array_next = "expected a comma or a closing bracket", object_next = "expected a comma or a closing brace", hex = "an escape without four hexadecimal digits";
  const std::vector<Case> cases = {
      {"", "the text ends before a value", 0}, {"  ", "the text ends before a value", 2}, {"[", in_document, 1}, {"{", in_document, 1}, {"[1", in_document, 2}, {"[1,", in_document, 3},
      {"{\"a\"", in_document, 4}, {"{\"a\":", in_document, 5}, {"{\"a\":1", in_document, 6}, {"{\"a\":1,", in_document, 7}, {"[[]", in_document, 3}, {"tru", in_document, 3}, {"[n", in_document, 2},
      {"]", no_value, 0}, {"}", no_value, 0}, {",", no_value, 0}, {":", no_value, 0}, {"[,1]", no_value, 1}, {"[1,,2]", no_value, 3}, {"[1,]", comma, 3}, {"[\"a\", ]", comma, 6}, {"{\"a\":1,}", comma, 7},
      {"{,\"a\":1}", "expected a key in quotation marks", 1}, {"{1:2}", "expected a key in quotation marks", 1}, {"{a:1}", "expected a key in quotation marks", 1}, {"{'a':1}", "expected a key in quotation marks", 1},
      {"{\"a\":1,2}", "expected a key in quotation marks", 7}, {"{\"a\" 1}", "expected a colon behind the key", 5}, {"{\"a\",1}", "expected a colon behind the key", 4}, {"{\"a\":}", no_value, 5},
      {"{\"a\":1 \"b\":2}", object_next, 7}, {"{\"a\":1]", object_next, 6}, {"{\"a\":[1}", array_next, 7}, {"[1 2]", array_next, 3}, {"[1}", array_next, 2}, {"[\"a\" \"b\"]", array_next, 5}, {"[\"a\":1]", array_next, 4},
      {"1 2", "text behind the document", 2}, {"[]]", "text behind the document", 2}, {"{}x", "text behind the document", 2}, {"1,", "text behind the document", 1}, {"\"a\"\"b\"", "text behind the document", 3},
      {"01", "a number with a leading zero", 0}, {"[00]", "a number with a leading zero", 1}, {"-01", "a number with a leading zero", 1}, {"[-012.5]", "a number with a leading zero", 2}, {"[0123456789012]", "a number with a leading zero", 1},
      {"-", in_number, 1}, {"[-]", "a number without a digit", 2}, {"-a", "a number without a digit", 1}, {"--1", "a number without a digit", 1}, {"+1", no_value, 0}, {".5", no_value, 0}, {"[-.5]", "a number without a digit", 2},
      {"1.", in_number, 2}, {"[1.]", "a number without a digit behind its point", 3}, {"[1.e5]", "a number without a digit behind its point", 3}, {"1e", in_number, 2}, {"1e+", in_number, 3},
      {"[1e]", "a number without a digit in its exponent", 3}, {"[1e+]", "a number without a digit in its exponent", 4}, {"[1e+-1]", "a number without a digit in its exponent", 4}, {"1.2.3", number_byte, 3}, {"0x1", number_byte, 1},
      {"1a", number_byte, 1}, {"[1_000]", number_byte, 2}, {"1e5.5", number_byte, 3}, {"1-2", number_byte, 1}, {"[1,2,3x]", number_byte, 6}, {"[1, 2, 03]", "a number with a leading zero", 7}, {"[1,2,-,3]", "a number without a digit", 6},
      {"truex", word, 0}, {"True", no_value, 0}, {"[falsy]", word, 1}, {"nul1", word, 0}, {"nulL", word, 0}, {"[nan]", word, 1}, {"[true1]", word, 1}, {"infinity", no_value, 0},
      {"\"", in_string, 1}, {"\"abc", in_string, 4}, {"\"abc\\", in_string, 5}, {"\"abc\\\"", in_string, 6}, {"\"\\u12", in_string, 5}, {"\"\\u1234", in_string, 7}, {"\"" + std::string(40, 'x'), in_string, 41},
      {"\"\xe4\xbd", in_string, 3}, {"\"\\ud800\\u12", in_string, 11}, {"\"\\", in_string, 2},
      {"\"a\tb\"", control, 2}, {"\"a\nb\"", control, 2}, {"\"\r\"", control, 1}, {"\"\x1f\"", control, 1}, {"\"\x01\"", control, 1}, {"\"\\n\x02\"", control, 3}, {"{\"a\tb\":1}", control, 3},
      {"\"" + std::string(20, 'x') + "\n\"", control, 21}, {"\"你你你你你你你你\n\"", control, 25},
      {"\"\\x41\"", "an unknown escape", 2}, {"\"\\U00e9\"", "an unknown escape", 2}, {"\"\\'\"", "an unknown escape", 2}, {"\"\\0\"", "an unknown escape", 2}, {"\"\\\n\"", "an unknown escape", 2}, {"\"\\\xe4\xbd\xa0\"", "an unknown escape", 2},
      {"\"\\u12G4\"", hex, 5}, {"\"\\u 123\"", hex, 3}, {"\"\\u12\"", hex, 5}, {"\"\\u\"", hex, 3}, {"\"\\ud800\\u12x\"", hex, 11}, {"\"\\u4f60\\u597g\"", hex, 12}, {"\"\\u-123\"", hex, 3}, {"\"\\u12\xe4\xbd\xa0\"", hex, 5},
      {"\xef\xbb\xbf{}", no_value, 0}, {"/**/1", no_value, 0}, {"[1]//", "text behind the document", 3}, {"'a'", no_value, 0}, {"\x0b" "1", no_value, 0}, {"\xc2\xa0" "1", no_value, 0}, {"[1\x0c]", array_next, 2}, {"\0"s, no_value, 0},
      {"[1]\0"s, "text behind the document", 3}, {"[1\0]"s, array_next, 2}, {"NaNs", word, 0}, {"[-NaN]", "a number without a digit", 2}, {"[Inf]", word, 1}, {"-Infinit", in_document, 8}, {"[-Infinite]", word, 2}, {"+Infinity", no_value, 0},
  };
  for (const auto& c : cases) {
    INFO(c.text);
    const Tight tight(c.text);
    const auto read = testing::read(tight.view());
    CHECK_FALSE(read.accepted);
    CHECK(read.error == c.error);
    CHECK(read.at == c.at);
    const auto skipped = testing::skip(tight.view());
    CHECK_FALSE(skipped.accepted);
    CHECK(skipped.error == c.error);
    CHECK(skipped.at == c.at);
    CHECK_FALSE(testing::read(tight.view(), Mode::kStrict).accepted);
    CHECK_FALSE(testing::skip(tight.view(), Mode::kStrict).accepted);
  }
}

TEST_CASE("json: what only records may hold is refused when options are read", "[json]") {
  struct Case {
    std::string text, error;
    size_t at;
  };
  const std::vector<Case> cases = {
      {"[NaN]", "expected a value", 1}, {"[Infinity]", "expected a value", 1}, {"[-Infinity]", "NaN and Infinity are no JSON", 1}, {"\"a\0b\""s, "a control character inside a string", 2},
      {"\"a\xff\"", "invalid UTF-8 inside a string", 2}, {"\"abc\xed\xa0\x80\"", "invalid UTF-8 inside a string", 4}, {"\"\xc3\"", "invalid UTF-8 inside a string", 1},
      {"\"\\n\xe4\xbd\"", "invalid UTF-8 inside a string", 3}, {"\"\\ud800\"", "an escaped lone surrogate", 1}, {"\"x\\udc00\\ud800\"", "an escaped lone surrogate", 2}, {"{\"\xff\":1}", "invalid UTF-8 inside a string", 2},
  };
  for (const auto& c : cases) {
    INFO(c.text);
    const Tight tight(c.text);
    CHECK(testing::read(tight.view()).accepted);
    CHECK(testing::skip(tight.view()).accepted);
    for (const auto& strict : {testing::read(tight.view(), Mode::kStrict), testing::skip(tight.view(), Mode::kStrict)}) {
      CHECK_FALSE(strict.accepted);
      CHECK(strict.error == c.error);
      CHECK(strict.at == c.at);
    }
  }
}

TEST_CASE("json: a document cut anywhere is refused and nothing past it is read", "[json]") {
  const std::string text = "{\"a\\u4f60\": [1.5e-3, -12, true, null, \"你好 \\ud83d\\ude00 and more than sixteen\", {\"b\": []}], \"c\": \"" + std::string(40, 'y') + "\"}";
  REQUIRE(testing::read(text).accepted);
  for (size_t size = 0; size < text.size(); ++size) {
    INFO(size);
    const Tight tight(text.substr(0, size));
    const auto read = testing::read(tight.view());
    CHECK_FALSE(read.accepted);
    CHECK(read.at == size);
    CHECK(testing::skip(tight.view()).at == size);
  }
}

TEST_CASE("json: containers nest 1024 deep and no deeper", "[json]") {
  CHECK(testing::read(nested(1024, "[", "", "]")).accepted);
  CHECK(testing::skip(nested(1024, "{\"a\":", "1", "}")).accepted);
  for (const auto& text : {nested(1025, "[", "", "]"), std::string(1000000, '[')}) {
    for (const auto& outcome : {testing::read(text), testing::skip(text)}) {
      CHECK(outcome.error == "nested deeper than 1024"s);
      CHECK(outcome.at == 1024);
    }
  }
  // Objects and arrays in turn: the closing bracket of the other kind is refused at every depth.
  std::string mixed;
  for (int i = 0; i < 300; ++i) mixed += i % 3 ? "[" : "{\"k\":";
  std::string closed = mixed + "0";
  for (int i = 299; i >= 0; --i) closed += i % 3 ? "]" : "}";
  CHECK(testing::skip(closed).accepted);
  for (size_t i = closed.size() - 300; i < closed.size(); ++i) {
    std::string wrong = closed;
    wrong[i] = wrong[i] == ']' ? '}' : ']';
    CHECK(testing::skip(wrong).at == i);
  }
}

TEST_CASE("json: a million keys are read once each", "[json]") {
  std::string text = "{";
  for (int i = 0; i < 1000000; ++i) text += (i ? ",\"k" : "\"k") + std::to_string(i) + "\":" + std::to_string(i);
  text += "}";
  JsonReader reader(text);
  std::string_view key;
  int64_t count = 0, sum = 0, value = 0;
  REQUIRE(reader.object());
  while (reader.key(&key)) {
    REQUIRE(reader.int64(&value));
    sum += value;
    ++count;
  }
  CHECK(reader.finish());
  CHECK(count == 1000000);
  CHECK(sum == int64_t{999999} * 500000);
}

TEST_CASE("json: keys given twice come twice and in order", "[json]") {
  CHECK(testing::read("{\"a\":1,\"b\":2,\"a\":3}").events == "{\"a\":1 \"b\":2 \"a\":3 }");
}

TEST_CASE("json: a value of another kind fails the reader with what was expected", "[json]") {
  std::string_view view;
  std::string text;
  bool flag = false;
  int64_t integer = 0;
  double real = 0;
  std::vector<int32_t> ids;
  std::vector<double> reals;
  const auto failure = [](std::string_view document, auto&& call) {
    JsonReader reader(document);
    CHECK_FALSE(call(reader));
    CHECK(reader.failed());
    CHECK(reader.error_at() == 1);
    return std::string(reader.error());
  };
  CHECK(failure(" 1", [&](auto& r) { return r.string(&view); }) == "expected text");
  CHECK(failure(" 1", [&](auto& r) { return r.string(&text); }) == "expected text");
  CHECK(failure(" \"1\"", [&](auto& r) { return r.number(&view); }) == "expected a number");
  CHECK(failure(" null", [&](auto& r) { return r.int64(&integer); }) == "expected a number");
  CHECK(failure(" []", [&](auto& r) { return r.real(&real); }) == "expected a number");
  CHECK(failure(" 1", [&](auto& r) { return r.boolean(&flag); }) == "expected true or false");
  CHECK(failure(" 0", [&](auto& r) { return r.null(); }) == "expected null");
  CHECK(failure(" []", [&](auto& r) { return r.object(); }) == "expected an object");
  CHECK(failure(" {}", [&](auto& r) { return r.array(); }) == "expected an array");
  CHECK(failure(" {}", [&](auto& r) { return r.ids(&ids, nullptr); }) == "expected an array");
  CHECK(failure(" 1", [&](auto& r) { return r.reals(&reals, nullptr); }) == "expected an array");
  CHECK(failure(" ]", [&](auto& r) { return r.string(&view); }) == "expected a value");
}

TEST_CASE("json: after a failure every call answers no more", "[json]") {
  JsonReader reader("{\"a\": 01, \"b\": 2}");
  std::string_view view;
  std::string text;
  bool flag = false;
  int64_t integer = 0;
  double real = 0;
  std::vector<int32_t> ids;
  std::vector<double> reals;
  REQUIRE(reader.object());
  REQUIRE(reader.key(&view));
  CHECK_FALSE(reader.skip());
  for (int i = 0; i < 2; ++i) {
    CHECK(reader.peek() == JsonKind::kInvalid);
    CHECK_FALSE(reader.key(&view));
    CHECK_FALSE(reader.element());
    CHECK_FALSE(reader.object());
    CHECK_FALSE(reader.array());
    CHECK_FALSE(reader.string(&view));
    CHECK_FALSE(reader.string(&text));
    CHECK_FALSE(reader.number(&view));
    CHECK_FALSE(reader.boolean(&flag));
    CHECK_FALSE(reader.null());
    CHECK_FALSE(reader.skip());
    CHECK_FALSE(reader.raw(&view));
    CHECK_FALSE(reader.int64(&integer));
    CHECK_FALSE(reader.real(&real));
    CHECK_FALSE(reader.ids(&ids, nullptr));
    CHECK_FALSE(reader.reals(&reals, nullptr));
    CHECK_FALSE(reader.finish());
  }
  CHECK(std::string(reader.error()) == "a number with a leading zero");
  CHECK(reader.error_at() == 6);
  reader.reset("[1]");
  CHECK_FALSE(reader.failed());
  CHECK(reader.skip());
  CHECK(reader.finish());
}

TEST_CASE("json: calls out of order fail the reader, they do not lead it astray", "[json]") {
  std::string_view view;
  JsonReader reader("[1, {\"a\": 2}]");
  CHECK_FALSE(reader.key(&view));
  CHECK(reader.error() == "a key outside an object"s);
  reader.reset("{\"a\": 1}");
  REQUIRE(reader.object());
  CHECK_FALSE(reader.element());
  CHECK(reader.error() == "an element outside an array"s);
  reader.reset("1");
  CHECK_FALSE(reader.element());
  reader.reset("{\"a\": 1, \"b\": 2}");  // the value of "a" is left
  REQUIRE(reader.object());
  REQUIRE(reader.key(&view));
  CHECK_FALSE(reader.key(&view));
  CHECK(reader.error() == "expected a comma or a closing brace"s);
  reader.reset("[1]");
  REQUIRE(reader.array());
  CHECK_FALSE(reader.finish());  // inside a container
}

TEST_CASE("json: raw gives the bytes of a value without the white space around it", "[json]") {
  JsonReader reader("{\"a\" :  {\"b\": [1, \"\\n\"]} , \"c\": NaN }");
  std::string_view key, raw;
  REQUIRE(reader.object());
  REQUIRE(reader.key(&key));
  REQUIRE(reader.raw(&raw));
  CHECK(raw == "{\"b\": [1, \"\\n\"]}");
  REQUIRE(reader.key(&key));
  REQUIRE(reader.raw(&raw));
  CHECK(raw == "NaN");
  CHECK_FALSE(reader.key(&key));
  CHECK(reader.finish());
}

TEST_CASE("json: a view of size 0 is an empty document whatever its pointer", "[json]") {
  JsonReader reader{std::string_view()};
  CHECK(reader.peek() == JsonKind::kInvalid);
  CHECK_FALSE(reader.failed());
  CHECK_FALSE(reader.skip());
  CHECK(reader.error_at() == 0);
}

TEST_CASE("json: skip() passes one number of an array, not those behind it", "[base]") {
  JsonReader json("[1, 2, 3, [4, 5], 6]");
  REQUIRE(json.array());
  int elements = 0;
  for (; json.element(); ++elements) REQUIRE(json.skip());
  CHECK(elements == 5);
  CHECK(json.finish());
}
