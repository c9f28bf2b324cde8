#include "judging.h"

using namespace vaa;
using judging::Given;
using judging::prose;

namespace {

// n different words of two syllables and more, none twice.
std::string salad(size_t n) {
  static const char* const kParts[] = {"bar", "lin", "tos", "mer", "gan", "vel", "ruk", "pas", "dom", "fir"};
  std::string out;
  for (size_t i = 0; i < n; ++i) {
    const size_t k = i * 389 % 1000;
    out += std::string(kParts[k % 10]) + kParts[k / 10 % 10] + kParts[k / 100] + std::string(i * 7 % 5, 'e') + " ";
  }
  return out;
}

}  // namespace

TEST_CASE("word_salad: words that never come again, from where they begin", "[quality]") {
  const std::string before = prose(30);
  const auto said = Given().text(before + salad(400)).finish("stop").judge();
  REQUIRE(said.failing("word_salad"));
  const Finding& finding = said.first("word_salad");
  CHECK(finding.confidence == Confidence::kCertain);
  CHECK(finding.onset_byte + 900 > static_cast<int64_t>(before.size()));
  CHECK(finding.onset_byte < static_cast<int64_t>(before.size()) + 900);
  CHECK(finding.onset_byte + finding.length_bytes <= static_cast<int64_t>(before.size() + salad(400).size()));
  CHECK(finding.measure <= finding.threshold);
  CHECK(finding.threshold == 5);
}

TEST_CASE("word_salad: one window alone counts only where the answer was cut", "[quality]") {
  CHECK(Given().text(salad(149)).finish("length").judge().failing("word_salad"));
  CHECK(Given().text(salad(149)).finish("stop").judge().clear("word_salad"));
  CHECK(Given().text(salad(149)).judge().unknown("word_salad"));
  CHECK(Given().text(salad(150)).finish("stop").judge().failing("word_salad"));
  CHECK(Given().text(salad(119)).finish("length").judge().clear("word_salad"));
  CHECK(Given().text(prose(60)).finish("length").judge().clear("word_salad"));
}

TEST_CASE("word_salad: at the end of an answer that was cut the last words are enough", "[quality]") {
  const std::string before = prose(10);
  const auto said = Given().text(before + salad(130)).finish("length").judge();
  REQUIRE(said.failing("word_salad"));
  CHECK(said.first("word_salad").onset_byte >= static_cast<int64_t>(before.size()));
  CHECK(Given().text(before + salad(130)).finish("stop").judge().clear("word_salad"));
  CHECK(Given().text(before + salad(130)).judge().unknown("word_salad"));
  CHECK(Given().text(before + salad(130) + prose(3)).finish("length").judge().clear("word_salad"));
}

TEST_CASE("word_salad: what was asked for is information, unless it was cut", "[quality]") {
  const auto judge = [](const char* finish) { return Given().prompt("Give me 300 random nouns separated by blanks").text(salad(300)).finish(finish).judge(); };
  CHECK(judge("stop").found("word_salad"));
  CHECK_FALSE(judge("stop").alarm("word_salad"));
  CHECK(judge("length").failing("word_salad"));
}

TEST_CASE("word_salad: a suspicion where the prompt speaks of a list or names, unless it was cut", "[quality]") {
  for (const char* prompt : {"List names separated by spaces", "请列出三百个人", "Give me 300 names"}) {
    const auto judge = [&](const char* finish) { return Given().prompt(prompt).text(salad(300)).finish(finish).judge(); };
    CHECK_FALSE(judge("stop").failing("word_salad"));
    CHECK(judge("stop").first("word_salad").confidence == Confidence::kSuspected);
    CHECK(judge("length").failing("word_salad"));
  }
}

TEST_CASE("word_salad: Han characters are judged by pairs; code, Thai and numbers are none", "[quality]") {
  std::string han, thai, numbers;
  for (uint32_t i = 0; i < 400; ++i) {
    const uint32_t code = 0x4E00 + i * 37 % 20000;
    for (const uint32_t byte : {0xE0 | code >> 12, 0x80 | (code >> 6 & 63), 0x80 | (code & 63)}) han += static_cast<char>(byte);
    thai += "ภาษาไทย" + std::string(1, static_cast<char>('a' + i % 26)).substr(1);
    numbers += std::to_string(i * 7919) + " ";
  }
  CHECK(Given().text(han).finish("stop").judge().failing("word_salad"));
  CHECK(Given().text(thai).finish("stop").judge().clear("word_salad"));
  CHECK(Given().text(numbers).finish("stop").judge().clear("word_salad"));
  CHECK(Given().text("```\n" + salad(400) + "\n```").finish("stop").judge().clear("word_salad"));
}

TEST_CASE("word_salad: the reasoning is judged like the text", "[quality]") {
  const auto said = Given().reasoning(salad(300)).text("It is 12.").finish("stop").judge();
  CHECK(said.first("word_salad").part == Part::kReasoning);
  CHECK(Given().ids({1, 2, 3}).judge().unknown("word_salad"));
}
