#include "judging.h"

using namespace vaa;
using judging::Given;
using judging::times;

namespace {

constexpr const char* kAsks = "Return the intent and the slots as JSON.";

judging::Verdicts judge(const std::string& text, const char* prompt = kAsks, const char* finish = "stop") {
  return Given().prompt(prompt).text(text).finish(finish).judge();
}
std::string reason(const judging::Verdicts& said) { return said.first("json_invalid").reason; }
judging::Verdicts judge_call(const std::string& arguments, const char* finish = "tool_calls") {
  return Given().text("").finish(finish).set(TextField::kToolCalls, R"([{"id":"1","type":"function","function":{"name":"f","arguments":)" + arguments + "}}]").judge();
}

}  // namespace

TEST_CASE("json_invalid: what is wrong with an answer that was to be JSON", "[quality]") {
  struct Wrong {
    const char *text, *reason;
    int64_t at;
    bool fails;
  };
  for (const Wrong& wrong : {
           Wrong{R"({"a": 1)", "cut", 7, true},
           Wrong{R"({"a": "b)", "cut", 8, true},
           Wrong{R"({"a": [1, 2}})", "syntax", 11, true},
           Wrong{R"({"a": "MFG00"!!!!)", "syntax", 13, true},
           Wrong{"{\"a\": \"b\nc\"}", "control_character", 8, true},
           Wrong{R"({"a": "b\x"})", "escape", 9, true},
           Wrong{R"({"a": 1,})", "trailing_comma", 8, false},
           Wrong{R"({'a': 1})", "single_quotes", 1, false},
           Wrong{R"({"a": NaN})", "not_a_number", 6, false},
           Wrong{R"({"a": True})", "literal", 6, false},
           Wrong{R"({"a": 1, // one
})", "comment", 9, false},
           Wrong{R"([1, 2, ...])", "ellipsis", 7, false},
           Wrong{"```json\n{\"a\": 1]\n```\n", "syntax", 15, true},
           Wrong{"Here it is:\n```json\n{\"a\": 1\n```\n", "incomplete", 28, true},
       }) {
    INFO(wrong.text);
    const auto said = judge(wrong.text);
    REQUIRE(said.alarm("json_invalid"));
    CHECK(reason(said) == wrong.reason);
    CHECK(said.first("json_invalid").onset_byte == wrong.at);
    CHECK(said.failing("json_invalid") == wrong.fails);
    CHECK(said.first("json_invalid").confidence == Confidence::kCertain);
    CHECK(said.first("json_invalid").count == 1);
  }
}

TEST_CASE("json_invalid: JSON, and what never was", "[quality]") {
  for (const char* text : {R"({"a": [1, 2.5e3, "ü", null, true]})", "[]", "{}", "```json\n[1,\n 2]\n```", "```json\n{\"a\": 1}\n{\"a\": 2}\n```", "The intent is to buy.",
                           "{\"a\": 1}\n\nThe intent is to buy.", "I should print {\"choice\": B}.", "[Verse 1]\nThe mill is dark", "```python\nd = {'a': 1,}\n```", "{{ template }}",
                           "```json\n```", "`{\"a\": }`"}) {
    INFO(text);
    CHECK(judge(text).clear("json_invalid"));
  }
}

TEST_CASE("json_invalid: without a request only what begins as an object with a key", "[quality]") {
  constexpr const char* kPlain = "Write a dictionary in Python.";
  for (const char* text : {R"({"a", "b"})", R"({"a": True})", "{'a': 1}", "[1, 2", "```json\n{\"a\": 1]\n```", "{\"a\": x for x in y}", "[Verse 1]"}) {
    INFO(text);
    CHECK(judge(text, kPlain).clear("json_invalid"));
  }
  const auto said = judge(R"({"a": [1, 2}})", kPlain);
  CHECK(said.failing("json_invalid"));
  CHECK(said.first("json_invalid").confidence == Confidence::kSuspected);
}

TEST_CASE("json_invalid: one fence of two is an example", "[quality]") {
  const auto said = judge("The shape:\n```json\n{\"a\": <number>}\n```\nAnd the answer:\n```json\n{\"a\": 4}\n```\n");
  REQUIRE(said.found("json_invalid"));
  CHECK_FALSE(said.failing("json_invalid"));
  CHECK(said.first("json_invalid").confidence == Confidence::kSuspected);
}

TEST_CASE("json_invalid: a cut by the limit is the limit's", "[quality]") {
  CHECK_FALSE(judge(R"({"a": "b)", kAsks, "length").alarm("json_invalid"));
  CHECK(judge(R"({"a": "b)", kAsks, "length").found("json_invalid"));
  const auto unknown = Given().prompt(kAsks).text(R"({"a": "b)").judge();
  CHECK(unknown.alarm("json_invalid"));
  CHECK_FALSE(unknown.failing("json_invalid"));
  CHECK(judge(R"({"a": "b"!!!!!!!!!!!!)", kAsks, "length").failing("json_invalid"));
}

TEST_CASE("json_invalid: tool calls in the text", "[quality]") {
  for (const char* text : {"<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>", "<tool_call>{\"name\": \"f\"}", "<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>",
                           "<function=f>{\"a\": 1}</function>", "<function=f><parameter=a>1</parameter></function>", "<function=f></function>",
                           "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n</tool_call>", "`<tool_call>` opens a call.", "The <tool_call> tag opens a call.",
                           "```\n<tool_call>{</tool_call>\n```", "Write \"<tool_call>\" first."}) {
    INFO(text);
    CHECK(judge(text, "What is the weather?").clear("json_invalid"));
  }
  for (const auto& [text, why] : std::vector<std::pair<const char*, const char*>>{
           {"<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"b", "cut"},
           {"<tool_call>\n", "cut"},
           {"<tool_call>{\"name\": \"f\",}</tool_call>", "trailing_comma"},
           {"<tool_call>{\"name\": \"f\"}} </tool_call>", "trailing"},
           {"<tool_call>{'name': 'f'}</tool_call>", "single_quotes"},
           {"<tool_call>call f with a</tool_call>", "syntax"},
           {"<tool_call>\n<function<parameter=city>\nParis\n</parameter></function></tool_call>", "syntax"},
           {"<function=f><parameter=parameter=unit>C</parameter></function>", "syntax"},
           {"<function=f><parameter=a>1</parameter>", "cut"},
           {"<function=f>{\"a\": }</function>", "syntax"},
       }) {
    INFO(text);
    const auto said = judge(text, "What is the weather?");
    REQUIRE(said.failing("json_invalid"));
    CHECK(reason(said) == why);
    CHECK(said.first("json_invalid").confidence == Confidence::kCertain);
  }
  CHECK(judge(times("<tool_call>{]</tool_call>\n", 7)).first("json_invalid").count == 7);
}

TEST_CASE("json_invalid: recorded tool calls", "[quality]") {
  CHECK(judge_call(R"("{\"a\": 1}")").clear("json_invalid"));
  CHECK(judge_call(R"({"a": 1})").clear("json_invalid"));
  CHECK(judge_call(R"("{\"text\": \"an \\\"arguments\\\": \\\"{\\\" in it\"}")").clear("json_invalid"));
  const auto cut = judge_call(R"("{\"a\": \"b")");
  REQUIRE(cut.failing("json_invalid"));
  CHECK(reason(cut) == "cut");
  CHECK(cut.first("json_invalid").part == Part::kSample);
  CHECK(reason(judge_call(R"("{\"a\": 1}}")")) == "trailing");
  CHECK(reason(judge_call(R"("{\"a\": 1,}")")) == "trailing_comma");
  const auto none = judge_call(R"("")");
  CHECK(reason(none) == "no_arguments");
  CHECK_FALSE(none.failing("json_invalid"));
  CHECK_FALSE(judge_call(R"("{\"a\": \"b")", "length").alarm("json_invalid"));
}

TEST_CASE("json_invalid: unknown without a text; deeper than the reader goes is not judged", "[quality]") {
  CHECK(Given().ids({1}).judge().unknown("json_invalid"));
  CHECK(judge(times("[", 5000)).clear("json_invalid"));
}

TEST_CASE("json_invalid: a fence in a thought that is never closed lies behind the answer", "[quality]") {
  CHECK(reason(judge("{\"a\": <think>```json\n{\n```\n", "")) == "cut");
}

TEST_CASE("json_invalid: an answer that is calls alone is judged", "[quality]") {
  const auto call = [](const char* arguments) {
    return Given().set(TextField::kToolCalls, std::string(R"([{"type":"function","function":{"name":"search","arguments":")") + arguments + R"("}}])").finish("tool_calls").judge();
  };
  CHECK(call(R"({\"query\":\"rights)").failing("json_invalid"));
  CHECK(call(R"({\"query\":\"rights\"})").clear("json_invalid"));
  CHECK(call(R"({\"query\":\"rights\"})").clear("empty"));
}
