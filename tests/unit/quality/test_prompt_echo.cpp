#include "judging.h"

using namespace vaa;
using judging::Given;

namespace {
const std::string kPrompt = "Explain in three sentences how the locks of a canal lift a boat over a hill, and name one that is still in use.";
}

TEST_CASE("prompt_echo: the answer begins with the prompt", "[quality]") {
  const auto said = Given().prompt(kPrompt + "\n").text("\n" + kPrompt + " A lock is a basin with two gates.").finish("stop").judge();
  REQUIRE(said.found("prompt_echo"));
  CHECK_FALSE(said.alarm("prompt_echo"));
  const Finding& finding = said.first("prompt_echo");
  CHECK(std::string(finding.reason) == "whole_prompt");
  CHECK(finding.confidence == Confidence::kCertain);
  CHECK(finding.onset_byte == 1);
  CHECK(finding.length_bytes == static_cast<int64_t>(kPrompt.size()));
}

TEST_CASE("prompt_echo: or with 64 bytes of it, from anywhere, also of messages", "[quality]") {
  const std::string from = kPrompt.substr(8);
  const auto judge = [&](size_t size) { return Given().prompt(kPrompt).text(from.substr(0, size) + "?! It does so with water that flows from above into the basin.").finish("stop").judge(); };
  CHECK(judge(63).clear("prompt_echo"));
  CHECK(std::string(judge(64).first("prompt_echo").reason) == "piece");
  CHECK(judge(80).first("prompt_echo").length_bytes == 80);
  Given messages;
  messages.set(TextField::kPromptMessages, "[{\"role\":\"system\",\"content\":\"Be short.\"},{\"role\":\"user\",\"content\":\"" + kPrompt + "\"}]");
  CHECK(messages.text(kPrompt + " Water.").judge().found("prompt_echo"));
}

TEST_CASE("prompt_echo: no answer of its own, and no prompt", "[quality]") {
  CHECK(Given().prompt(kPrompt).text("A lock is a basin with two gates. " + kPrompt).judge().clear("prompt_echo"));
  CHECK(Given().prompt("Say hello.").text("Say hello.").judge().clear("prompt_echo"));
  CHECK(Given().text(kPrompt).judge().unknown("prompt_echo"));
  CHECK(Given().prompt(kPrompt).ids({1}).judge().unknown("prompt_echo"));
}
