#include "judging.h"

using namespace vaa;
using judging::Given;

TEST_CASE("gibberish_tail: fragments that run into each other at the end", "[quality]") {
  const std::string tail = "And so the plan was here,and it went on!We begin now.They said;ok then klar and done";
  const std::string text = judging::prose(8) + tail;
  const auto said = Given().text(text).finish("stop").judge();
  REQUIRE(said.found("gibberish_tail"));
  CHECK_FALSE(said.alarm("gibberish_tail"));
  const Finding& finding = said.first("gibberish_tail");
  CHECK(finding.count == 4);
  CHECK(finding.onset_byte == static_cast<int64_t>(text.find(",and it")));
  CHECK(finding.onset_byte + finding.length_bytes == static_cast<int64_t>(text.size()));
}

TEST_CASE("gibberish_tail: what is written like this all along, code, hosts and numbers are none", "[quality]") {
  std::string tight;
  for (int i = 0; i < 40; ++i) tight += "They came,they saw!They went.And then;they were gone ";
  CHECK(Given().text(tight).judge().clear("gibberish_tail"));
  CHECK(Given().text(judging::prose(8) + "```\nif ok:go,run;stop!now.Then,and;so\n```").judge().clear("gibberish_tail"));
  CHECK(Given().text(judging::prose(8) + "See www.example.org, std::vector, f(a,b,c), 10:30, 1,000 and e.g. that.").judge().clear("gibberish_tail"));
  CHECK(Given().text("here,There!We now.They;ok").judge().clear("gibberish_tail"));
}

TEST_CASE("gibberish_tail: the reasoning where nothing follows it, unknown without a text", "[quality]") {
  const std::string text = judging::prose(8) + "it was here,the one and on!We begin now.They said;ok then";
  CHECK(Given().text("").reasoning(text).judge().first("gibberish_tail").part == Part::kReasoning);
  CHECK(Given().ids({1, 2}).judge().unknown("gibberish_tail"));
}
