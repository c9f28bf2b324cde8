#include "judging.h"

using namespace vaa;
using judging::Given;

TEST_CASE("unassigned_or_private: where and how many", "[quality]") {
  const auto said = Given().text("Most lines run. \xEE\x88\x80\xEE\x88\x82 And \xEE\x88\x81.").judge();  // U+E200 U+E202, U+E201
  REQUIRE(said.alarm("unassigned_or_private"));
  const Finding& finding = said.first("unassigned_or_private");
  CHECK(finding.severity == Severity::kWarn);
  CHECK(finding.onset_byte == 16);
  CHECK(finding.length_bytes == 6);
  CHECK(finding.count == 3);
  CHECK(finding.confidence == Confidence::kSuspected);
  CHECK(Given().text("a \xCD\xB8 b").judge().first("unassigned_or_private").confidence == Confidence::kCertain);  // U+0378
}

TEST_CASE("unassigned_or_private: emoji and Han newer than the tables, and noncharacters, are none", "[quality]") {
  CHECK(Given().text("new \xF0\x9F\xAB\xBF \xF0\xB3\x8D\x90").judge().clear("unassigned_or_private"));  // U+1FAFF, U+33350
  CHECK(Given().text("not \xEF\xBF\xBE one").judge().clear("unassigned_or_private"));                     // U+FFFE
}

TEST_CASE("unassigned_or_private: not in code and not where the prompt has it", "[quality]") {
  CHECK(Given().text("PS1: `\xEE\x82\xA0 main`").judge().clear("unassigned_or_private"));
  CHECK(Given().prompt("What is \xEE\x82\xA0?").text("\xEE\x82\xA0 is a branch.").judge().clear("unassigned_or_private"));
  CHECK(Given().ids({1}).judge().unknown("unassigned_or_private"));
}
