#include <functional>
#include <limits>
#include <string>

#include "base/failure.h"
#include "base/nearest_name.h"
#include "base/options.h"
#include "catch.h"

using namespace vaa;
using Type = OptionSpec::Type;

namespace {

const OptionSpec kTable[] = {
    {"threads", Type::kInt, 1, 1024, "", "1", "threads to use"},
    {"seed", Type::kInt},
    {"max_line", Type::kInt, 1, 9.3e18, "", "268435456"},
    {"temperature", Type::kReal, 0, 2, "", "0.5"},
    {"scale", Type::kReal},
    {"format", Type::kChoice, 0, 0, "json|text|markdown", "\"text\""},
    {"text_field", Type::kText, 1, 8},
    {"label", Type::kText, 0, 0, "", "\"你好\""},
    {"no_text", Type::kBool, 0, 0, "", "false"},
    {"require", Type::kTexts, 0, 0, "", "[]"},
};

Options options(std::string_view json) { return Options(json, kTable, "f"); }

std::string refusal(const std::function<void()>& call, vaa_status status = VAA_ERROR_OPTION) {
  try {
    call();
  } catch (const Failure& failure) {
    CHECK(failure.status() == status);
    return failure.message();
  }
  return "accepted";
}
std::string refusal(std::string_view json) {
  return refusal([&] { options(json); });
}

}  // namespace

TEST_CASE("options: values of every type, and defaults", "[options]") {
  const Options given = options(R"({"threads": 8, "seed": -1, "temperature": 1, "scale": -1e300, "format": "json", "text_field": "a.0.b", "label": "", "no_text": true, "require": ["a", "\u4f60", ""]})");
  CHECK(given.integer("threads") == 8);
  CHECK(given.integer("seed") == -1);
  CHECK(given.real("temperature") == 1.0);
  CHECK(given.real("scale") == -1e300);
  CHECK(given.text("format") == "json");
  CHECK(given.text("text_field") == "a.0.b");
  CHECK(given.text("label").empty());
  CHECK(given.boolean("no_text"));
  CHECK(given.texts("require") == std::vector<std::string>{"a", "你", ""});
  CHECK(given.given("threads"));
  for (const char* empty : {"", "{}", " { } "}) {
    const Options none = options(empty);
    CHECK(none.integer("threads") == 1);
    CHECK(none.integer("max_line") == 268435456);
    CHECK(none.real("temperature") == 0.5);
    CHECK(none.text("format") == "text");
    CHECK(none.text("label") == "你好");
    CHECK_FALSE(none.boolean("no_text"));
    CHECK(none.texts("require").empty());
    CHECK(none.has("threads"));
    CHECK_FALSE(none.given("threads"));
    CHECK_FALSE(none.has("seed"));
    CHECK_FALSE(none.has("text_field"));
    CHECK_FALSE(none.has("no such option"));
  }
}

TEST_CASE("options: integers are exact over all of int64", "[options]") {
  CHECK(options("{\"seed\": 9223372036854775807}").integer("seed") == std::numeric_limits<int64_t>::max());
  CHECK(options("{\"seed\": -9223372036854775808}").integer("seed") == std::numeric_limits<int64_t>::min());
  CHECK(options("{\"seed\": 9007199254740993}").integer("seed") == 9007199254740993);
  CHECK(options("{\"max_line\": 9223372036854775807}").integer("max_line") == std::numeric_limits<int64_t>::max());
  CHECK(refusal("{\"seed\": 9223372036854775808}") == "f: seed: 9223372036854775808 is out of range, allowed are -9223372036854775808 to 9223372036854775807");
  CHECK(refusal("{\"seed\": -9223372036854775809}") == "f: seed: -9223372036854775809 is out of range, allowed are -9223372036854775808 to 9223372036854775807");
}

TEST_CASE("options: a value out of range is refused with what is allowed", "[options]") {
  CHECK(refusal("{\"threads\": 0}") == "f: threads: 0 is out of range, allowed are 1 to 1024");
  CHECK(refusal("{\"threads\": 1025}") == "f: threads: 1025 is out of range, allowed are 1 to 1024");
  CHECK(refusal("{\"threads\": 99999999999999999999}") == "f: threads: 99999999999999999999 is out of range, allowed are 1 to 1024");
  CHECK(refusal("{\"temperature\": 2.5}") == "f: temperature: 2.5 is out of range, allowed are 0 to 2");
  CHECK(refusal("{\"temperature\": -0.001}") == "f: temperature: -0.001 is out of range, allowed are 0 to 2");
  CHECK(refusal("{\"temperature\": 1e999}") == "f: temperature: 1e999 is out of range, allowed are 0 to 2");
  CHECK(refusal("{\"scale\": 1e999}") == "f: scale: 1e999 is out of range, must be finite");
  CHECK(refusal("{\"text_field\": \"\"}") == "f: text_field: \"\" has 0 bytes, allowed are 1 to 8");
  CHECK(refusal("{\"text_field\": \"123456789\"}") == "f: text_field: \"123456789\" has 9 bytes, allowed are 1 to 8");
  CHECK(refusal("{\"format\": \"xml\"}") == "f: format: \"xml\" is not known, allowed are json, text, markdown");
  CHECK(refusal("{\"format\": \"\"}") == "f: format: \"\" is not known, allowed are json, text, markdown");
  CHECK(refusal("{\"format\": \"json|text\"}") == "f: format: \"json|text\" is not known, allowed are json, text, markdown");
  CHECK(refusal("{\"format\": \"\\u001b[31m\\n\"}") == "f: format: \"\\u001b[31m\\n\" is not known, allowed are json, text, markdown");
}

TEST_CASE("options: a value of the wrong type is refused with the type", "[options]") {
  CHECK(refusal("{\"threads\": 1.0}") == "f: threads: 1.0 is of the wrong type, must be an integer");
  CHECK(refusal("{\"threads\": 1e2}") == "f: threads: 1e2 is of the wrong type, must be an integer");
  CHECK(refusal("{\"threads\": \"8\"}") == "f: threads: \"8\" is of the wrong type, must be an integer");
  CHECK(refusal("{\"threads\": true}") == "f: threads: true is of the wrong type, must be an integer");
  CHECK(refusal("{\"threads\": null}") == "f: threads: null is of the wrong type, must be an integer");
  CHECK(refusal("{\"threads\": [1]}") == "f: threads: an array is of the wrong type, must be an integer");
  CHECK(refusal("{\"temperature\": {}}") == "f: temperature: an object is of the wrong type, must be a number");
  CHECK(refusal("{\"no_text\": 1}") == "f: no_text: 1 is of the wrong type, must be true or false");
  CHECK(refusal("{\"no_text\": \"true\"}") == "f: no_text: \"true\" is of the wrong type, must be true or false");
  CHECK(refusal("{\"label\": 5}") == "f: label: 5 is of the wrong type, must be text");
  CHECK(refusal("{\"format\": 1}") == "f: format: 1 is of the wrong type, must be one of json, text, markdown");
  CHECK(refusal("{\"require\": \"a\"}") == "f: require: \"a\" is of the wrong type, must be an array of texts");
  CHECK(refusal("{\"require\": [\"a\", 1]}") == "f: require[1]: 1 is of the wrong type, must be text");
}

TEST_CASE("options: an unknown key is refused with the nearest and all that are known", "[options]") {
  const std::string known = "known: threads, seed, max_line, temperature, scale, format, text_field, label, no_text, require";
  CHECK(refusal("{\"thread\": 1}") == "f: thread: no such option; did you mean threads? " + known);
  CHECK(refusal("{\"Threads\": 1}") == "f: Threads: no such option; did you mean threads? " + known);
  CHECK(refusal("{\"max-line\": 1}") == "f: max-line: no such option; did you mean max_line? " + known);
  CHECK(refusal("{\"temprature\": 1}") == "f: temprature: no such option; did you mean temperature? " + known);
  CHECK(refusal("{\"sede\": 1}") == "f: sede: no such option; did you mean seed? " + known);
  CHECK(refusal("{\"zzz\": 1}") == "f: zzz: no such option; " + known);
  CHECK(refusal("{\"\": 1}") == "f: \"\": no such option; " + known);
  CHECK(refusal("{\"a b\\n\": 1}") == "f: \"a b\\n\": no such option; " + known);
  CHECK(refusal("{\"" + std::string(200, 'k') + "\": 1}") == "f: \"" + std::string(80, 'k') + "…\": no such option; " + known);
  CHECK(refusal([] { Options("{\"a\": 1}", nullptr, 0, ""); }) == "a: no such option; none are known");
}

TEST_CASE("options: a key given twice is refused", "[options]") {
  CHECK(refusal("{\"threads\": 1, \"threads\": 1}") == "f: threads: given twice");
  CHECK(refusal("{\"threads\": 1, \"thre\\u0061ds\": 2}") == "f: threads: given twice");
}

TEST_CASE("options: what is no JSON object is refused with the byte", "[options]") {
  CHECK(refusal("[]") == "f: the options are an array, must be an object");
  CHECK(refusal("null") == "f: the options are null, must be an object");
  CHECK(refusal("\"{}\"") == "f: the options are text, must be an object");
  CHECK(refusal(" ") == "f: the options are no JSON: the text ends before a value at byte 1");
  CHECK(refusal("{\"threads\": 01}") == "f: the options are no JSON: a number with a leading zero at byte 12");
  CHECK(refusal("{\"threads\": 1} {}") == "f: the options are no JSON: text behind the document at byte 15");
  CHECK(refusal("{\"threads\": }") == "f: the options are no JSON: expected a value at byte 12");
  CHECK(refusal("{\"threads\": NaN}") == "f: the options are no JSON: expected a value at byte 12");
  CHECK(refusal("{\"label\": \"\xff\"}") == "f: the options are no JSON: invalid UTF-8 inside a string at byte 11");
  CHECK(refusal("{\"label\": \"\\ud800\"}") == "f: the options are no JSON: an escaped lone surrogate at byte 11");
  CHECK(refusal("{\"require\": [\"a\", }") == "f: the options are no JSON: expected a value at byte 18");
  CHECK(refusal("{\"require\": [\"a\"") == "f: the options are no JSON: the text ends inside the document at byte 16");
  CHECK(refusal("{\"threads\": {\"a\": tru}}") == "f: the options are no JSON: a word that is none of true, false and null at byte 18");
}

TEST_CASE("options: asking for what is not there is a defect of vaa", "[options]") {
  const Options none = options("");
  CHECK(refusal([&] { none.integer("seed"); }, VAA_ERROR_INTERNAL) != "accepted");
  CHECK(refusal([&] { none.integer("temperature"); }, VAA_ERROR_INTERNAL) != "accepted");
  CHECK(refusal([&] { none.text("nothing"); }, VAA_ERROR_INTERNAL) != "accepted");
  static const OptionSpec kWrong[] = {{"a", Type::kInt, 0, 0, "", "\"x\""}};
  CHECK(refusal([&] { Options("", kWrong, "f"); }, VAA_ERROR_INTERNAL) != "accepted");
}

TEST_CASE("quoted: text for a message shows what it holds and stays on one line", "[options]") {
  CHECK(quoted("plain 你好") == "\"plain 你好\"");
  CHECK(quoted("a\"b\\c\n\r\t") == "\"a\\\"b\\\\c\\n\\r\\t\"");
  CHECK(quoted(std::string_view("\0\x1b\x7f", 3)) == "\"\\u0000\\u001b\\u007f\"");
  CHECK(quoted("\xff\xe4\xbd!") == "\"\\xff\\xe4\\xbd!\"");
  CHECK(quoted("\xed\xa0\x80") == "\"\\xed\\xa0\\x80\"");
  CHECK(quoted("\xc2\x85\xe2\x80\xae\xe2\x80\xa8\xef\xbb\xbf") == "\"\\u0085\\u202e\\u2028\\ufeff\"");
  CHECK(quoted("") == "\"\"");
  CHECK(quoted(std::string_view()) == "\"\"");
  CHECK(quoted("12345", 5) == "\"12345\"");
  CHECK(quoted("123456", 5) == "\"12345…\"");
  CHECK(quoted("你好", 5) == "\"你…\"");
  CHECK(quoted("你好", 0) == "\"…\"");
}

TEST_CASE("nearest name: one change is near, another word is not", "[options]") {
  const std::vector<std::string_view> known = {"threads", "format", "id", "text_field"};
  CHECK(nearest_name("theards", known) == "threads");
  CHECK(nearest_name("forma", known) == "format");
  CHECK(nearest_name("formatt", known) == "format");
  CHECK(nearest_name("textfield", known) == "text_field");
  CHECK(nearest_name("TEXT-FIELD", known) == "text_field");
  CHECK(nearest_name("ids", known) == "id");
  CHECK(nearest_name("xy", known).empty());
  CHECK(nearest_name("", known).empty());
  CHECK(nearest_name(std::string(1000000, 'x'), known).empty());
}
