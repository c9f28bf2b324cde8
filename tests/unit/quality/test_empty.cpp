#include "judging.h"

using namespace vaa;
using judging::Given;

TEST_CASE("empty: nothing but white space and control tokens", "[quality]") {
  for (const char* text : {"", " \n\t", "\u3000\u00A0", "<|im_end|>", "<｜end▁of▁sentence｜>\n", "</s>", "\xEF\xBB\xBF", "<think>\nfirst\n</think>\n\n", "reasoning</think>\n"}) {
    INFO(text);
    const auto said = Given().text(text).finish("stop").judge();
    CHECK(said.failing("empty"));
    CHECK(said.clear("think_unclosed"));
  }
  for (const char* text : {"0", ".", "是", "<p>", "<think>\nfirst\n</think>\nYes", "\xFF"}) {
    INFO(text);
    CHECK(Given().text(text).finish("stop").judge().clear("empty"));
  }
}

TEST_CASE("empty: where it begins", "[quality]") {
  const auto said = Given().text("<think>水</think>\n\n").finish("stop").judge();
  CHECK(said.first("empty").onset_byte == 18);
  CHECK(said.first("empty").onset_char == 16);
  CHECK(said.first("empty").length_bytes == 2);
}

TEST_CASE("empty: reasoning without text is empty when the model stopped, an open thought when it was cut", "[quality]") {
  CHECK(Given().reasoning("I think so.").text("").finish("stop").judge().failing("empty"));
  CHECK(Given().reasoning("I think so.").text("").judge().failing("empty"));
  for (const char* finish : {"length", "abort", "error"}) {
    const auto said = Given().reasoning("I think so.").text("").finish(finish).judge();
    CHECK(said.clear("empty"));
    CHECK(said.failing("think_unclosed"));
  }
}

TEST_CASE("empty: tool calls are an answer", "[quality]") {
  CHECK(Given().text("").set(TextField::kToolCalls, R"([{"name":"f"}])").finish("tool_calls").judge().clear("empty"));
  CHECK(Given().text("").set(TextField::kToolCalls, "[]").finish("stop").judge().failing("empty"));
}

TEST_CASE("empty: not recorded is not empty", "[quality]") {
  CHECK(Given().prompt("Hello").judge().unknown("empty"));
  CHECK(Given().reasoning("only this is recorded").judge().unknown("empty"));
}

TEST_CASE("empty: a failed request is no empty answer", "[quality]") {
  CHECK(Given().text("").set(TextField::kErrorMessage, "timeout").judge().unknown("empty"));
  CHECK(Given().text("  ").set(TextField::kErrorMessage, "timeout").judge().unknown("empty"));
  CHECK(Given().text("It is").set(TextField::kErrorMessage, "timeout").judge().clear("empty"));
}

TEST_CASE("empty: ids alone", "[quality]") {
  CHECK(Given().ids({}).finish("stop").judge().failing("empty"));
  CHECK(Given().ids({2}).set(IntField::kIdsIncludeStop, 1).finish("stop").judge().failing("empty"));
  CHECK(Given().ids({2}).set(IntField::kIdsIncludeStop, 0).finish("stop").judge().clear("empty"));
  const Vocab vocab = judging::make_vocab({"a", "b", "<eos>"}, {2});
  CHECK(Given().ids({2, 2}).finish("stop").judge(&vocab).failing("empty"));
  CHECK(Given().ids({0, 2}).finish("stop").judge(&vocab).clear("empty"));
}

TEST_CASE("empty: characters that nobody sees", "[quality]") {
  for (const char* text : {"\u200B", "\uFEFF\n", "\u2060\u200D\u200E", "\u00AD", "<think>x</think>\u200B"}) CHECK(Given().text(text).finish("stop").judge().failing("empty"));
}
