#include "judging.h"

using namespace vaa;
using judging::Given;

TEST_CASE("byte_fallback_leak: the bytes of characters as tokens", "[quality]") {
  const auto said = Given().text("내일 <0xEA><0xB9><0xA8>끗한 물, <0xED><0x8C><0xA8>는").judge();
  REQUIRE(said.failing("byte_fallback_leak"));
  const Finding& finding = said.first("byte_fallback_leak");
  CHECK(finding.confidence == Confidence::kCertain);
  CHECK(finding.onset_byte == 7);
  CHECK(finding.onset_char == 3);
  CHECK(finding.length_bytes == 18);
  CHECK(finding.count == 6);
  CHECK(Given().text("ok").reasoning("a<0x0A><0x0A>b").judge().first("byte_fallback_leak").part == Part::kReasoning);
}

TEST_CASE("byte_fallback_leak: one alone is suspected", "[quality]") {
  CHECK(Given().text("First line<0x0A>second line").judge().first("byte_fallback_leak").confidence == Confidence::kSuspected);
}

TEST_CASE("byte_fallback_leak: code, quotes, the prompt's, and other notations are none", "[quality]") {
  for (const char* text : {"Write `<0xE4><0xBD>` there.", "```\n<0xE4><0xBD>\n```", "the token \"<0x0A>\" is", "reg = <0x48>;", "compatible, <0x2D>;", "C<0x41> and E<0xF6>nig", "DOMAIN<0x1c> lookups", "#include <0xE4.h>", "<0xE4"})
    CHECK(Given().text(text).judge().clear("byte_fallback_leak"));
  CHECK(Given().prompt("What is <0xE4>?").text("<0xE4><0xBD> are bytes.").judge().clear("byte_fallback_leak"));
  CHECK(Given().ids({1}).judge().unknown("byte_fallback_leak"));
}

TEST_CASE("byte_fallback_leak: shown where the prompt asks about tokenizers", "[quality]") {
  const char* const told = "It writes ▁Hello ▁world, and bytes as <0xE4><0xBD><0xA0>.";
  const auto said = Given().prompt("How does the SentencePiece tokenizer mark blanks?").text(told).finish("stop").judge();
  CHECK_FALSE(said.alarm("byte_fallback_leak"));
  CHECK_FALSE(said.alarm("tokenizer_artifact"));
  CHECK(Given().prompt("How are blanks marked?").text(told).finish("stop").judge().failing("byte_fallback_leak"));
}
