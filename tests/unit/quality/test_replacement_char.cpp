#include "judging.h"

using namespace vaa;
using judging::Given;

namespace {
constexpr const char* kTorn = "The caf\xEF\xBF\xBD\xEF\xBF\xBD sells tea, 第一\xEF\xBF\xBD雨。";
}

TEST_CASE("replacement_char: the first and how many", "[quality]") {
  const auto said = Given().text(kTorn).finish("stop").judge();
  REQUIRE(said.failing("replacement_char"));
  const Finding& finding = said.first("replacement_char");
  CHECK(finding.onset_byte == 7);
  CHECK(finding.length_bytes == 6);
  CHECK(finding.length_chars == 2);
  CHECK(finding.count == 3);
  CHECK(said.judgement().findings.size() == 1);
  CHECK(Given().reasoning(kTorn).text("Yes").judge().first("replacement_char").part == Part::kReasoning);
}

TEST_CASE("replacement_char: not where the prompt has it", "[quality]") {
  CHECK(Given().prompt("What is \xEF\xBF\xBD?").text(kTorn).finish("stop").judge().clear("replacement_char"));
  const auto messages = Given().text(kTorn).set(TextField::kPromptMessages, R"([{"role":"user","content":"What is \ufffd?"}])").judge();
  CHECK(messages.clear("replacement_char"));
}

TEST_CASE("replacement_char: a single one at the very end is a character that the limit cut", "[quality]") {
  const char* const text = "第一滴雨\xEF\xBF\xBD";
  const auto cut = Given().text(text).finish("length").judge();
  CHECK(cut.clear("replacement_char"));
  CHECK(cut.found("truncated"));
  CHECK(Given().text(text).finish("stop").judge().failing("replacement_char"));
  const auto unknown = Given().text(text).judge();
  CHECK(unknown.alarm("replacement_char"));
  CHECK_FALSE(unknown.failing("replacement_char"));
  CHECK(Given().text(std::string(text) + "\xEF\xBF\xBD").finish("length").judge().failing("replacement_char"));
}

TEST_CASE("replacement_char: ids alone say nothing without a vocabulary", "[quality]") {
  CHECK(Given().ids({0, 1, 2}).finish("stop").judge().unknown("replacement_char"));
  const Vocab vocab = judging::make_vocab({"caf", "\xEF\xBF\xBD", "<eos>"}, {2});
  CHECK(Given().ids({0, 1, 2}).finish("stop").judge(&vocab).failing("replacement_char"));
  CHECK(Given().ids({0, 0, 2}).finish("stop").judge(&vocab).clear("replacement_char"));
}

TEST_CASE("replacement_char: a text about it may show it", "[quality]") {
  const auto said = Given().text("A decoder writes the replacement character (U+FFFD, \xEF\xBF\xBD) there, and goes on.").finish("stop").judge();
  CHECK_FALSE(said.alarm("replacement_char"));
  CHECK(std::string_view(said.first("replacement_char").reason) == "spoken_of");
}
