#include "judging.h"

using namespace vaa;
using judging::Given;

namespace {

// `times` rounds of one word of each script: a change of group between any two.
std::string rounds(size_t times, const char* separator = " ") {
  std::string out;
  for (size_t i = 0; i < times; ++i)
    for (const char* word : {"река", "חלון", "ตลาด", "გემი", "νησί"}) out += std::string(word) + separator;
  return out;
}

}  // namespace

TEST_CASE("script_soup: scripts that change every few letters", "[quality]") {
  const auto said = Given().text("We have looked at it and " + rounds(12)).finish("stop").judge();
  REQUIRE(said.failing("script_soup"));
  const Finding& finding = said.first("script_soup");
  CHECK(finding.confidence == Confidence::kCertain);
  CHECK(finding.onset_byte == 25);  // the first word of another script
  CHECK(finding.onset_char == 25);
  CHECK(finding.measure >= finding.threshold);
  CHECK(Given().text("ok").reasoning(rounds(12)).judge().first("script_soup").part == Part::kReasoning);
}

TEST_CASE("script_soup: too little of it, lists and separators are none", "[quality]") {
  CHECK(Given().text(rounds(4)).judge().clear("script_soup"));
  CHECK(Given().text(rounds(12, ", ")).judge().clear("script_soup"));
  CHECK(Given().text(rounds(12, "\n")).judge().clear("script_soup"));
  CHECK(Given().text("{\"ru\": \"река\", \"he\": \"חלון\", \"th\": \"ตลาด\"}" + judging::prose(20)).judge().clear("script_soup"));
}

TEST_CASE("script_soup: Han and kana are one writing, Latin within it is normal", "[quality]") {
  std::string text;
  for (int i = 0; i < 60; ++i) text += "サーバーのvLLMを使って、漢字とかなとGPUが並ぶ";
  CHECK(Given().text(text).judge().clear("script_soup"));
}

TEST_CASE("script_soup: a small pool of pieces in three scripts", "[quality]") {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "bodega灯塔зеркало keeper ponte ";
  CHECK(Given().text(text).judge().failing("script_soup"));
}

TEST_CASE("script_soup: what the prompt holds was asked for; without a text it is unknown", "[quality]") {
  const auto said = Given().prompt("Repeat: " + rounds(12)).text(rounds(12)).judge();
  CHECK(said.found("script_soup"));
  CHECK_FALSE(said.alarm("script_soup"));
  CHECK(Given().ids({1, 2, 3}).judge().unknown("script_soup"));
}
