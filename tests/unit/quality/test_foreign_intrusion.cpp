#include "judging.h"

using namespace vaa;
using judging::Given;

namespace {
constexpr const char* kPrompt = "Explain how the two sets differ.";
std::string around(const char* middle) { return judging::prose(6) + "Both are convex, so they can be split" + middle + judging::prose(6); }
}  // namespace

TEST_CASE("foreign_intrusion: a Han word that touches Latin letters", "[quality]") {
  const std::string text = around(" by常規 a plane. ");
  const auto said = Given().prompt(kPrompt).text(text).judge();
  REQUIRE(said.alarm("foreign_intrusion"));
  const Finding& finding = said.first("foreign_intrusion");
  CHECK(finding.confidence == Confidence::kCertain);
  CHECK(finding.onset_byte == static_cast<int64_t>(text.find("常規")));
  CHECK(finding.length_bytes == 6);
  CHECK(finding.length_chars == 2);
  CHECK(finding.count == 1);
  CHECK(Given().prompt(kPrompt).text("ok").reasoning(text).judge().first("foreign_intrusion").part == Part::kReasoning);
}

TEST_CASE("foreign_intrusion: other scripts too", "[quality]") {
  for (const char* word : {" activeіст ones ", " awardsвер too ", " certificateや more ", " of그의 plane "}) CHECK(Given().prompt(kPrompt).text(around(word)).judge().alarm("foreign_intrusion"));
}

TEST_CASE("foreign_intrusion: between blanks it is shown and no warning", "[quality]") {
  const auto said = Given().prompt(kPrompt).text(around(" и so ") + "Work и play. ").judge();
  CHECK(said.first("foreign_intrusion").count == 2);
  CHECK_FALSE(said.alarm("foreign_intrusion"));
}

TEST_CASE("foreign_intrusion: what was asked for, quoted or put in brackets is none", "[quality]") {
  CHECK(Given().prompt("What does 常規 mean?").text(around(" by常規 a plane. ")).judge().clear("foreign_intrusion"));
  CHECK(Given().prompt("Teach me a few Chinese words.").text(around(" by常規 a plane. ")).judge().clear("foreign_intrusion"));
  CHECK(Given().prompt("Translate it.").text(around(" by常規 a plane. ")).judge().clear("foreign_intrusion"));
  CHECK(Given().prompt(kPrompt).text(around(" (常規) or “常規”, ")).judge().clear("foreign_intrusion"));
  CHECK(Given().prompt(kPrompt).text(around(" with `x常規y` as a name ")).judge().clear("foreign_intrusion"));
  CHECK(Given().prompt(kPrompt).text(around(" where αx and βy ")).judge().clear("foreign_intrusion"));
}

TEST_CASE("foreign_intrusion: a text of two scripts is none", "[quality]") {
  CHECK(Given().prompt("讲讲缓存").text("vLLM使用PagedAttention管理KV cache。每个block保存token。").judge().clear("foreign_intrusion"));
  CHECK(Given().prompt(kPrompt).text(judging::prose(3) + "\n使用API的方法：先打开page再保存\n" + judging::prose(3)).judge().clear("foreign_intrusion"));
}

TEST_CASE("foreign_intrusion: without a prompt it is suspected, without a text unknown", "[quality]") {
  CHECK(Given().text(around(" by常規 a plane. ")).judge().first("foreign_intrusion").confidence == Confidence::kSuspected);
  CHECK(Given().ids({1}).judge().unknown("foreign_intrusion"));
}
