#include "judging.h"

using namespace vaa;
using judging::Given;
using judging::prose;
using judging::times;

TEST_CASE("single_token_collapse: one symbol, twelve times at least, nine of ten", "[quality]") {
  const auto said = Given().text(std::string(20, '!')).judge();
  REQUIRE(said.failing("single_token_collapse"));
  const Finding& finding = said.first("single_token_collapse");
  CHECK(finding.count == 20);
  CHECK(finding.measure == 1.0);
  CHECK(finding.onset_byte == 0);
  CHECK(finding.length_bytes == 20);
  CHECK(Given().text(std::string(12, '!')).judge().failing("single_token_collapse"));
  CHECK(Given().text(std::string(11, '!')).judge().clear("single_token_collapse"));
  CHECK(Given().text("ab" + std::string(18, '!')).judge().failing("single_token_collapse"));
  CHECK(Given().text("abc" + std::string(18, '!')).judge().clear("single_token_collapse"));
  CHECK(Given().text(times("! ", 30)).judge().failing("single_token_collapse"));
  CHECK(Given().text(times("❤️", 40)).judge().failing("single_token_collapse"));
  CHECK(Given().text(times("好", 100)).judge().failing("single_token_collapse"));
}

TEST_CASE("single_token_collapse: the share is exact wherever the others stand", "[quality]") {
  for (size_t others = 0; others < 30; ++others) {
    std::string text;
    for (size_t i = 0; i < 200; ++i) text += others > 0 && i % (200 / others) == 0 && i / (200 / others) < others ? static_cast<char>('a' + i % 26) : '@';
    CAPTURE(others);
    CHECK(Given().text(text).judge().failing("single_token_collapse") == (others <= 20));
  }
}

TEST_CASE("single_token_collapse: digits, prose, blanks and drawings in a fence are none", "[quality]") {
  CHECK(Given().text(std::string(100, '7')).judge().clear("single_token_collapse"));
  CHECK(Given().text(prose(10)).judge().clear("single_token_collapse"));
  CHECK(Given().text(std::string(100, ' ')).judge().clear("single_token_collapse"));
  CHECK(Given().text("\"N" + std::string(40, 'o') + "!\" she cried, and the echo came back from the other side.").judge().clear("single_token_collapse"));
  CHECK(Given().text("```\n" + std::string(300, 'A') + "\n```").finish("stop").judge().clear("single_token_collapse"));
}

TEST_CASE("single_token_collapse: asked for it is information, a laugh a warning", "[quality]") {
  const auto judge = [](const char* prompt, const std::string& text, const char* finish) { return Given().prompt(prompt).text(text).finish(finish).judge(); };
  CHECK_FALSE(judge("Print 40 equals signs.", std::string(40, '='), "stop").alarm("single_token_collapse"));
  CHECK_FALSE(judge("Draw a divider line.", std::string(70, '-'), "stop").alarm("single_token_collapse"));
  CHECK_FALSE(judge("Go on: aaaaa", std::string(90, 'a'), "stop").alarm("single_token_collapse"));
  CHECK(judge("Print 40 equals signs.", std::string(40, '='), "length").failing("single_token_collapse"));
  CHECK(judge("hello", times("哈", 30), "stop").alarm("single_token_collapse"));
  CHECK_FALSE(judge("hello", times("哈", 30), "stop").failing("single_token_collapse"));
  CHECK(judge("hello", std::string(700, 'G'), "stop").failing("single_token_collapse"));
}

TEST_CASE("single_token_collapse: a letter or rule with something beside it is a suspicion unless it was cut", "[quality]") {
  for (const std::string& text : {std::string(150, 'A') + "h!", "N" + std::string(60, 'o') + "!", "Name: " + std::string(200, '_') + "\n\nAddress: " + std::string(200, '_'), "Here: " + std::string(800, 'A') + "==",
                                  std::string(72, '+') + ".>" + std::string(101, '+') + ".>"}) {
    CAPTURE(text);
    for (const char* finish : {"stop", ""}) {
      const auto said = Given().text(text).finish(finish).judge();
      CHECK_FALSE(said.failing("single_token_collapse"));
      CHECK(said.first("single_token_collapse").confidence == Confidence::kSuspected);
    }
    CHECK(Given().text(text).finish("length").judge().failing("single_token_collapse"));
  }
  CHECK(Given().text("So " + std::string(1024, 'G')).finish("stop").judge().first("single_token_collapse").confidence == Confidence::kSuspected);
  CHECK(Given().text("So " + std::string(1025, 'G')).finish("stop").judge().failing("single_token_collapse"));
  CHECK(Given().text("So " + std::string(60, '!')).finish("stop").judge().failing("single_token_collapse"));
  CHECK(Given().text(std::string(70, '-')).judge().failing("single_token_collapse"));
}

TEST_CASE("single_token_collapse: unknown without a text", "[quality]") { CHECK(Given().ids({0, 0, 0}).judge().unknown("single_token_collapse")); }

TEST_CASE("single_token_collapse: a picture of one character in lines is a suspicion", "[quality]") {
  for (const char* picture : {"   *\n  ***\n *****\n*******\n *****\n  ***\n   *", "# # ####  #\n##   ### #\n#  # ##   #\n", " █ █ █ █\n█ █ █ █ \n █ █ █ █\n█ █ █ █ "}) {
    CAPTURE(picture);
    const auto said = Given().text(picture).finish("stop").judge();
    CHECK_FALSE(said.failing("single_token_collapse"));
    CHECK(said.first("single_token_collapse").confidence == Confidence::kSuspected);
    CHECK(Given().text(picture).finish("length").judge().failing("single_token_collapse"));
  }
  CHECK(Given().text(times("!\n\n", 30)).finish("stop").judge().failing("single_token_collapse"));
  CHECK(Given().text(times("! !\n", 30)).finish("stop").judge().failing("single_token_collapse"));
}
