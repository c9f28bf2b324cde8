#include "judging.h"

using namespace vaa;
using judging::Given;
using judging::prose;
using judging::times;

namespace {

// n ids of a unit, from 1000 on, behind different ones.
std::vector<int32_t> looping_ids(size_t before, size_t period, size_t length) {
  std::vector<int32_t> out;
  for (size_t i = 0; i < before; ++i) out.push_back(static_cast<int32_t>(100 + i * 7919 % 50000));
  for (size_t i = 0; i < length; ++i) out.push_back(static_cast<int32_t>(100000 + i % period));
  return out;
}

}  // namespace

TEST_CASE("repetition_loop: onset, period and count in bytes and characters", "[quality]") {
  const std::string before = "雨后的街道很安静。";  // 9 characters, 27 bytes
  const auto said = Given().text(before + times("茶叶要放好，", 80)).finish("length").judge();
  REQUIRE(said.failing("repetition_loop"));
  const Finding& loop = said.first("repetition_loop");
  CHECK(loop.onset_byte == 27);
  CHECK(loop.onset_char == 9);
  CHECK(loop.length_bytes == 80 * 18);
  CHECK(loop.length_chars == 80 * 6);
  CHECK(loop.period_bytes == 18);
  CHECK(loop.period_chars == 6);
  CHECK(loop.count == 80);
  CHECK(loop.part == Part::kText);
  CHECK(said.judgement().wasted == 79 * 18);
}

TEST_CASE("repetition_loop: the unit is the primitive one", "[quality]") {
  const auto said = Given().text(prose(3) + times("la di da la di da ", 40)).finish("length").judge();
  CHECK(said.first("repetition_loop").period_bytes == 9);
}

TEST_CASE("repetition_loop: how many copies it takes at the end", "[quality]") {
  // A unit of 30 bytes. Stopped: 8 copies and 300 bytes; otherwise 4 and 100, and 300 for a failure where nothing is known of the end.
  const std::string unit = "then we look at the box again\n";
  const auto judge = [&](size_t copies, const char* finish) { return Given().text(prose(4) + times(unit, copies)).finish(finish).judge(); };
  CHECK(judge(10, "stop").failing("repetition_loop"));
  CHECK(judge(9, "stop").clear("repetition_loop"));
  CHECK(judge(3, "length").clear("repetition_loop"));
  CHECK(judge(4, "length").failing("repetition_loop"));
  CHECK(judge(10, "").failing("repetition_loop"));
  CHECK(judge(6, "unknown").alarm("repetition_loop"));
  CHECK_FALSE(judge(6, "unknown").failing("repetition_loop"));
}

TEST_CASE("repetition_loop: inside an answer it takes more", "[quality]") {
  const std::string unit = "then we look at the box again\n";
  const auto judge = [&](size_t copies) { return Given().text(prose(4) + times(unit, copies) + prose(4)).finish("stop").judge(); };
  CHECK(judge(19).clear("repetition_loop"));
  CHECK(judge(20).failing("repetition_loop"));
  const std::string passage = prose(8);
  CHECK(Given().text("So: " + times(passage, 4) + "That is all there is.").finish("stop").judge().failing("repetition_loop"));
}

TEST_CASE("repetition_loop: long thoughts that restate a passage and go on are a warning", "[quality]") {
  const std::string passage = prose(8);
  const auto said = Given().reasoning("So: " + times(passage, 5) + "Now I know.").text("It is 12.").finish("stop").judge();
  CHECK(said.alarm("repetition_loop"));
  CHECK_FALSE(said.failing("repetition_loop"));
  CHECK(said.first("repetition_loop").part == Part::kReasoning);
  // A sentence said eight times on the way is nothing.
  CHECK(Given().reasoning(prose(20) + times("Wait, let me check that again. ", 8) + prose(3)).text("It is 12.").finish("stop").judge().clear("repetition_loop"));
  // The thought that ran into the limit is a failure.
  CHECK(Given().reasoning(prose(4) + times("Wait, let me check that again. ", 8)).text("").finish("length").judge().failing("repetition_loop"));
}

TEST_CASE("repetition_loop: tables, rules, dumps and art stay quiet when the answer ended", "[quality]") {
  const auto quiet = [](const std::string& text) {
    INFO(text.substr(0, 60));
    return !Given().text(text).finish("stop").judge().alarm("repetition_loop");
  };
  CHECK(quiet("| a | b |\n|" + std::string(400, '-') + "|\n| 1 | 2 |\n"));
  CHECK(quiet("```\n" + times("0, 0, 0, 0, 0, 0, 0, 0,\n", 12) + "```"));
  CHECK(quiet("00000010  " + times("ff ", 16) + "\n" + times("00000020  ff ff ff ff\n", 6)));
  CHECK(quiet("Key: " + std::string(500, 'A') + "==\n"));
  CHECK(quiet(times("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n", 40) + "END"));
  CHECK(quiet("{" + times("0xff, ", 150) + "};"));
  CHECK(quiet("{" + times("ge::FORMAT_ND, ", 100) + "};"));
  CHECK(quiet(times("Row, row, row your boat,\nGently down the stream,\n", 4)));
  CHECK(quiet(times("├── ", 30) + "\n"));
  CHECK(quiet("x,y\n" + times("1,0\n", 70)));
}

TEST_CASE("repetition_loop: symbols without words are a failure at the limit and a warning at a stop", "[quality]") {
  CHECK(Given().text("Result: " + std::string(300, '!')).finish("length").judge().failing("repetition_loop"));
  CHECK(Given().text("Result: " + std::string(300, '!')).finish("stop").judge().clear("repetition_loop"));
  const auto long_one = Given().text("Result: " + std::string(700, '!')).finish("stop").judge();
  CHECK(long_one.alarm("repetition_loop"));
  CHECK_FALSE(long_one.failing("repetition_loop"));
  CHECK(Given().text("The answer is 5." + std::string(3000, '\n')).finish("length").judge().failing("repetition_loop"));
}

TEST_CASE("repetition_loop: what the prompt asked for is information", "[quality]") {
  const auto asked = [](const char* prompt, size_t copies, const char* finish) {
    return Given().prompt(prompt).text(times("I must not run in the corridor.\n", copies)).finish(finish).judge();
  };
  const auto hundred = asked("Write 'I must not run in the corridor.' one hundred times.", 100, "stop");
  CHECK(hundred.found("repetition_loop"));
  CHECK_FALSE(hundred.alarm("repetition_loop"));
  CHECK(std::string(hundred.first("repetition_loop").reason) == "asked");
  CHECK_FALSE(asked("Say it 100 times.", 100, "").alarm("repetition_loop"));
  CHECK_FALSE(asked("请把这句话写一百遍。", 100, "stop").alarm("repetition_loop"));
  CHECK_FALSE(asked("Write it twenty-five times", 25, "stop").alarm("repetition_loop"));
  CHECK(asked("Say it 100 times.", 100, "length").failing("repetition_loop"));
  CHECK(asked("Say it 100 times.", 300, "stop").failing("repetition_loop"));
}

TEST_CASE("repetition_loop: a number of the prompt does not excuse a loop that was cut within a copy", "[quality]") {
  const std::string text = "<think>\nTwelve stops. " + times("Wait, let me count the stops again. ", 12) + "Wait, let me count the";
  CHECK(Given().prompt("A tram makes 12 stops.").text(text).judge().failing("repetition_loop"));
}

TEST_CASE("repetition_loop: ignore_eos makes it information", "[quality]") {
  const auto said = Given().text(prose(2) + times("and on it goes ", 90)).finish("length").set(IntField::kIgnoreEos, 1).judge();
  CHECK(said.found("repetition_loop"));
  CHECK_FALSE(said.alarm("repetition_loop"));
  CHECK(said.judgement().wasted == 0);
}

TEST_CASE("repetition_loop: the engine's own finish reason is a finding", "[quality]") {
  const auto said = Given().text("Something that it cut away.").finish("repetition").judge();
  CHECK(said.failing("repetition_loop"));
  CHECK(std::string(said.first("repetition_loop").reason) == "finish_reason");
  CHECK_FALSE(said.found("truncated"));
}

TEST_CASE("repetition_loop: special tokens and white space behind a loop do not hide it", "[quality]") {
  for (const char* end : {"", "\n\n", "<|im_end|>", " <|endoftext|>\n", "\xEF\xBF\xBD", "\xE5\xA5"}) {
    INFO(end);
    CHECK(Given().text(prose(2) + times("我再检查一遍。", 12) + end).finish("length").judge().failing("repetition_loop"));
  }
}

TEST_CASE("repetition_loop: ids by the same rules, in tokens", "[quality]") {
  const auto judge = [](size_t period, size_t length, const char* finish) { return Given().ids(looping_ids(50, period, length)).finish(finish).judge(); };
  const auto said = judge(5, 80, "length");
  REQUIRE(said.failing("repetition_loop"));
  const Finding& loop = said.first("repetition_loop");
  CHECK(loop.part == Part::kSample);
  CHECK(loop.onset_token == 50);
  CHECK(loop.length_tokens == 80);
  CHECK(loop.period_tokens == 5);
  CHECK(loop.count == 16);
  CHECK(loop.onset_byte == -1);
  CHECK(judge(5, 23, "length").clear("repetition_loop"));
  CHECK(judge(5, 24, "length").failing("repetition_loop"));
  CHECK_FALSE(judge(5, 71, "").failing("repetition_loop"));
  CHECK(judge(5, 72, "").failing("repetition_loop"));
  CHECK(judge(5, 71, "stop").clear("repetition_loop"));
  CHECK(judge(5, 72, "stop").failing("repetition_loop"));
}

TEST_CASE("repetition_loop: ids beside a text give its place in tokens", "[quality]") {
  const auto said = Given().text("A tale: " + times("好的", 300)).ids(looping_ids(4, 1, 300)).finish("length").judge();
  const Finding& loop = said.first("repetition_loop");
  CHECK(loop.onset_byte == 8);
  CHECK(loop.onset_token == 4);
  CHECK(loop.period_tokens == 1);
  CHECK(said.judgement().findings.size() == 2);  // and truncated
}

TEST_CASE("repetition_loop: tokens that leave no text are seen in the ids", "[quality]") {
  const auto said = Given().text("Hello there.").ids(looping_ids(5, 1, 4000)).finish("length").judge();
  REQUIRE(said.failing("repetition_loop"));
  CHECK(said.first("repetition_loop").part == Part::kSample);
  CHECK(std::string(said.first("repetition_loop").reason) == "no_text");
}

TEST_CASE("repetition_loop: sixteen findings at most", "[quality]") {
  std::string text;
  for (int i = 0; i < 40; ++i) text += times("number " + std::string(1, static_cast<char>('a' + i % 26)) + std::to_string(i * 37) + " is next, ", 40) + prose(1);
  const auto said = Given().text(text).finish("stop").judge();
  size_t count = 0;
  for (const Finding& finding : said.judgement().findings) count += finding.flag == find_flag("repetition_loop");
  CHECK(count == 16);
}

TEST_CASE("repetition_loop: copies that differ in white space are copies", "[quality]") {
  static const char* const kBlanks[] = {" ", "\n", "  ", "\n\n", "\t", "", " \n"};
  const std::string before = prose(4);
  for (const char* unit : {"Then we look at the box again.", "我们再检查一遍那个盒子里的东西。"}) {
    std::string tail;
    uint32_t state = 11;
    for (size_t i = 0; i < 40; ++i) {
      state = state * 1664525 + 1013904223;
      tail += std::string(unit) + kBlanks[(state >> 16) % 7];
    }
    const auto said = Given().text(before + tail).finish("length").judge();
    REQUIRE(said.failing("repetition_loop"));
    const Finding& loop = said.first("repetition_loop");
    CHECK(loop.count == 40);
    CHECK(loop.period_bytes == -1);
    CHECK(loop.onset_byte >= static_cast<int64_t>(before.size()) - 2);  // the sentence before ends alike
    CHECK(loop.onset_byte <= static_cast<int64_t>(before.size()));
    CHECK(Given().text(before + tail + prose(2)).finish("length").judge().clear("repetition_loop"));
  }
}

TEST_CASE("repetition_loop: records, separated values and refrains may repeat in an answer that stopped", "[quality]") {
  const std::string records = times("{\"id\": 1, \"ok\": true, \"name\": \"none\"},\n", 20), values = times("true,false,true\n", 60), song = times("na na na na\n", 50);
  for (const std::string& text : {records, values, song}) {
    CAPTURE(text.substr(0, 20));
    CHECK_FALSE(Given().text(text).finish("stop").judge().alarm("repetition_loop"));
    CHECK(Given().text(text).finish("length").judge().failing("repetition_loop"));
  }
  CHECK(Given().text(times("na na na na\n", 200)).finish("stop").judge().failing("repetition_loop"));
}

TEST_CASE("repetition_loop: a passage restated some times in an answer that went on is a warning", "[quality]") {
  const std::string passage = prose(8);
  CHECK(Given().text("So: " + times(passage, 4) + "That is all.").finish("stop").judge().failing("repetition_loop"));
  const auto said = Given().text("So: " + times(passage, 6) + "That is all. " + std::string(prose(60)).substr(2000)).finish("stop").judge();
  CHECK(said.alarm("repetition_loop"));
  CHECK_FALSE(said.failing("repetition_loop"));
}

TEST_CASE("repetition_loop: lines of a program are a warning, and at a cut a failure from 600 bytes on", "[quality]") {
  // Unrolled loops of assembly, rows of tables of constants.
  for (const char* line : {"\tSTOSL\n", "\tMOVV\tR0, 8(R19)\n\tADDV\t$8, R19\n", "\tmulscc\t%g1, %i3, %g1\n", "    0, // HOLE\n", "    mov eax, [ebx+4]\n"}) {
    CAPTURE(line);
    const size_t size = std::string_view(line).size();
    const std::string many = times(line, 2000 / size), few = times(line, 560 / size), before = "runtime:\n";
    for (const std::string& text : {before + many + "\tRET\n" + prose(10), before + many}) {
      const auto said = Given().text(text).finish("stop").judge();
      CHECK(said.alarm("repetition_loop"));
      CHECK_FALSE(said.failing("repetition_loop"));
      CHECK(std::string(said.first("repetition_loop").reason) == "code");
    }
    CHECK(Given().text(before + many).finish("length").judge().failing("repetition_loop"));
    CHECK_FALSE(Given().text(before + few).finish("length").judge().failing("repetition_loop"));
    CHECK_FALSE(Given().text(before + many).judge().failing("repetition_loop"));
  }
  // Sentences in lines are none, whatever signs stand beside them.
  for (const char* line : {"We look again at the box.\n", "**We look again.** (1)\n", "再看一遍盒子 (1)\n", "- so it is\n", "HARSHNESS\n\n"})
    CHECK(Given().text(prose(2) + times(line, 100)).finish("stop").judge().failing("repetition_loop"));
  CHECK_FALSE(Given().text("static int a[] = {\n" + times("    NULL, NULL, NULL, NULL,\n", 16)).finish("length").judge().failing("repetition_loop"));
}

TEST_CASE("repetition_loop: rules, padding and numbers that a limit cut need more", "[quality]") {
  const auto judge = [](const std::string& text) { return Given().text("Result:\n" + text).finish("length").judge(); };
  for (const char* unit : {"-", "=", "─", " ", "_"}) {
    CAPTURE(unit);
    CHECK(judge(times(unit, 127)).clear("repetition_loop"));
    CHECK(judge(times(unit, 201)).failing("repetition_loop"));
  }
  CHECK(judge(times(" 90", 100)).clear("repetition_loop"));
  CHECK(judge(times(", 50", 129)).failing("repetition_loop"));
  CHECK(judge(times("!", 101)).failing("repetition_loop"));
  CHECK(judge(times("?! ", 40)).failing("repetition_loop"));
}

TEST_CASE("repetition_loop: an answer that is one run and was cut needs 40 bytes", "[quality]") {
  const auto judge = [](const std::string& text, const char* finish) { return Given().text(text).finish(finish).judge(); };
  CHECK(judge(times(" the", 10), "length").failing("repetition_loop"));
  CHECK(judge(times(" the", 10) + " th", "length").first("repetition_loop").count == 10);
  CHECK(judge(times(" the", 9), "length").clear("repetition_loop"));
  CHECK(judge(times("好的，", 5), "length").failing("repetition_loop"));
  CHECK(judge(times("and so on, ", 4), "length").failing("repetition_loop"));
  CHECK(judge(times("and so on, and ", 3), "length").clear("repetition_loop"));
  CHECK(judge("It is" + times(" the", 14), "length").clear("repetition_loop"));
  CHECK(judge(times(" the", 14), "stop").clear("repetition_loop"));
  CHECK(judge(times(" the", 14), "").clear("repetition_loop"));
  CHECK(judge(std::string(60, 'a'), "length").clear("repetition_loop"));
  CHECK(judge(times("- ", 30), "length").clear("repetition_loop"));
}
