#include "judging.h"

using namespace vaa;
using judging::Given;
using judging::prose;

namespace {

// n words of a few, in no order.
std::string soup(size_t n, size_t types, const char* between = " ") {
  static const char* const kWords[] = {"the", "and", "of", "old", "river", "to", "house", "in", "a", "water", "on", "for", "with", "light", "stone", "was", "by", "his",
                                       "sea", "at", "one", "her", "wind", "from", "they", "day", "time", "red", "hill", "so"};
  std::string out;
  uint64_t state = 99;
  for (size_t i = 0; i < n; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    out += kWords[(state >> 33) % types];
    out += between;
  }
  return out;
}

}  // namespace

TEST_CASE("low_diversity: few words in any order, where the answer was cut", "[quality]") {
  const std::string text = prose(5) + soup(400, 12);
  const auto said = Given().text(text).finish("length").judge();
  REQUIRE(said.alarm("low_diversity"));
  CHECK_FALSE(said.failing("low_diversity"));
  const Finding& finding = said.first("low_diversity");
  CHECK(std::string(finding.reason) == "few_words");
  CHECK(finding.measure == 12);
  CHECK(finding.threshold == 26);
  CHECK(finding.onset_byte + finding.length_bytes == static_cast<int64_t>(text.size() - 1));
  CHECK(said.clear("repetition_loop"));
  CHECK(Given().text(text).finish("stop").judge().clear("low_diversity"));
  CHECK(Given().text(text).judge().unknown("low_diversity"));
  CHECK(Given().text(prose(40)).judge().clear("low_diversity"));
  CHECK(Given().text(prose(40)).finish("length").judge().clear("low_diversity"));
  CHECK(Given().text(soup(159, 12)).finish("length").judge().clear("low_diversity"));
}

TEST_CASE("low_diversity: data and code are left alone", "[quality]") {
  CHECK(Given().text("[" + soup(400, 12, "\", \"")).finish("length").judge().clear("low_diversity"));
  CHECK(Given().text("```\n" + soup(400, 12)).finish("length").judge().clear("low_diversity"));
}

TEST_CASE("low_diversity: a list that morphs has hardly anything new", "[quality]") {
  std::string tags;
  uint64_t state = 3;
  for (int i = 0; i < 400; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    tags += std::string("#morninglightonthequietcanalboatsofthenorthernlakes") + static_cast<char>('a' + (state >> 33) % 26) + static_cast<char>('a' + (state >> 40) % 26) + " ";
  }
  const auto said = Given().text(prose(3) + tags).finish("length").judge();
  REQUIRE(said.alarm("low_diversity"));
  CHECK(std::string(said.first("low_diversity").reason) == "little_new");
  CHECK(said.first("low_diversity").measure <= 300);
}

TEST_CASE("low_diversity: three signs in any order", "[quality]") {
  std::string signs;
  uint64_t state = 5;
  for (int i = 0; i < 400; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    signs += ".,!"[(state >> 33) % 3];
  }
  const auto said = Given().text(prose(3) + signs).finish("length").judge();
  REQUIRE(said.alarm("low_diversity"));
  CHECK(std::string(said.first("low_diversity").reason) == "few_symbols");
  CHECK(said.first("low_diversity").measure == 3);
}
