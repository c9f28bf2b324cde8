#include <set>
#include <utility>
#include <vector>

#include "judging.h"
#include "quality/soup_window.h"

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

namespace {

// The rule letter by letter, of one line whose letters are 'a' to 'e', each a group of its own, with '|' for a separator.
Soup by_letter(const std::string& line) {
  Soup soup;
  std::vector<std::pair<char, bool>> window;  // group, and whether a change stands before it
  bool apart = false;
  char last = 0;
  for (const char c : line) {
    if (c == '|') {
      apart = true;
      continue;
    }
    window.emplace_back(c, last != 0 && c != last && !apart);
    last = c;
    apart = false;
    if (window.size() > 48) window.erase(window.begin());
    if (window.size() < 24) continue;
    size_t changes = 0;
    std::set<char> groups;
    for (size_t i = 0; i < window.size(); ++i) {
      groups.insert(window[i].first);
      changes += i > 0 && window[i].second;
    }
    soup.dense += (groups.size() >= 3 && changes >= 12) || (groups.size() >= 4 && changes >= 8) || (groups.size() >= 5 && changes >= 5);
    soup.thin += groups.size() >= 3 && changes >= 5;
  }
  return soup;
}

}  // namespace

TEST_CASE("script_soup: runs of letters are counted as letters one by one", "[quality]") {
  uint32_t state = 7;
  const auto draw = [&](uint32_t n) {
    state = state * 1664525 + 1013904223;
    return (state >> 16) % n;
  };
  for (int round = 0; round < 300; ++round) {
    std::string line;
    SoupWindow window;
    Soup soup;
    bool apart = false;
    const uint32_t longest = 1 + draw(60);
    for (uint32_t runs = draw(80); runs > 0; --runs) {
      const uint32_t group = draw(5), letters = 1 + draw(longest);
      window.add(static_cast<uint8_t>(group + 1), letters, apart, 0, 0, &soup);
      line.append(letters, static_cast<char>('a' + group));
      apart = draw(4) == 0;
      if (apart) line += '|';
    }
    const Soup want = by_letter(line);
    INFO(line);
    CHECK(soup.dense == want.dense);
    CHECK(soup.thin == want.thin);
  }
}
