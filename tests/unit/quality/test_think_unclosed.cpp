#include "judging.h"
#include "text/think_tags.h"

using namespace vaa;
using judging::Given;

TEST_CASE("think_unclosed: every family, opened and not closed", "[quality]") {
  for (const ThinkTag& tag : think_tags()) {
    const std::string open(tag.open), close(tag.close);
    INFO(open);
    const auto said = Given().text("\n" + open + "\nLet me see.").finish("stop").judge();
    REQUIRE(said.failing("think_unclosed"));
    CHECK(said.first("think_unclosed").onset_byte == 1);
    CHECK(said.first("think_unclosed").confidence == Confidence::kCertain);
    CHECK(said.found("no_final_answer"));
    CHECK(Given().text(open + "Let me see." + close + "It is 5.").finish("stop").judge().clear("think_unclosed"));
    CHECK(Given().text(open + "Let me see." + close + "It is 5.").finish("stop").judge().clear("think_orphan_close"));
  }
}

TEST_CASE("think_unclosed: a tag that is spoken of is none", "[quality]") {
  CHECK(Given().text("The model writes `<think>` first.").judge().clear("think_unclosed"));
  CHECK(Given().text("So:\n```\n<think>\n```\nThat is all.").judge().clear("think_unclosed"));
  CHECK(Given().text("The tag \"<think>\" opens it.").judge().clear("think_unclosed"));
  CHECK(Given().text("标签“<think>”表示开始。").judge().clear("think_unclosed"));
  CHECK(Given().prompt("What is <think>?").text("The tag <think> opens it.").judge().clear("think_unclosed"));
  CHECK_FALSE(Given().text("The tag <think> opens it.").judge().failing("think_unclosed"));
}

TEST_CASE("think_unclosed: an open code fence in the thought does not hide its end", "[quality]") {
  CHECK(Given().text("<think>\n```python\nprint(1)\n</think>\nIt prints 1.").judge().clear("think_unclosed"));
  CHECK(Given().text("<think>\nwe close with `</think>` later").finish("length").judge().failing("think_unclosed"));
}

TEST_CASE("think_unclosed: reasoning that was recorded apart", "[quality]") {
  CHECK(Given().reasoning("Let me see").text("").finish("length").judge().first("think_unclosed").part == Part::kReasoning);
  CHECK(Given().reasoning("Let me see").text("").set(TextField::kErrorMessage, "reset").judge().failing("think_unclosed"));
  CHECK(Given().reasoning("Let me see").text("5").finish("length").judge().clear("think_unclosed"));
  CHECK(Given().reasoning("Let me see").text("").finish("tool_calls").set(TextField::kToolCalls, "[{}]").judge().clear("think_unclosed"));
}

TEST_CASE("think_unclosed: ids that hold the tags decide", "[quality]") {
  const Vocab vocab = judging::make_vocab({"<think>", "</think>", "Let me see", "<eos>"}, {3});
  CHECK(Given().reasoning("Let me see").text("").finish("stop").ids({0, 2, 3}).judge(&vocab).failing("think_unclosed"));
  const auto closed = Given().reasoning("Let me see").text("").finish("length").ids({0, 2, 1}).judge(&vocab);
  CHECK(closed.clear("think_unclosed"));
  CHECK(closed.failing("empty"));
}

TEST_CASE("think_unclosed: a prompt that opens the thought", "[quality]") {
  const std::string prompt = "<|user|>What is 2+3?<|assistant|><think>\n";
  CHECK(Given().prompt(prompt).text("Two and three make").finish("length").judge().failing("think_unclosed"));
  const auto closed = Given().prompt(prompt).text("Two and three make 5.</think>5").finish("stop").judge();
  CHECK(closed.clear("think_unclosed"));
  CHECK(closed.clear("think_orphan_close"));
}

TEST_CASE("think_unclosed: AISBench leaves no tag where the answer is missing", "[quality]") {
  const auto judge = [](const char* text) { return Given().text(text).set(TextField::kSourceFormat, "aisbench").judge(); };
  CHECK(judge("It may be reasoning alone.").unknown("think_unclosed"));
  CHECK(judge("<think>It is open.").failing("think_unclosed"));
  CHECK(judge("<think>It is closed.</think>5").clear("think_unclosed"));
  CHECK(judge("").clear("think_unclosed"));
  CHECK(Given().text("5").reasoning("so").set(TextField::kSourceFormat, "aisbench").judge().clear("think_unclosed"));
}
