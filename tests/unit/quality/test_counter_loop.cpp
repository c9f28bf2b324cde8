#include "judging.h"
#include "quality/near_loops.h"

using namespace vaa;
using judging::Given;
using judging::prose;

namespace {

std::string counted(size_t copies, size_t first, const char* body, const char* end = "\n") {
  std::string out;
  for (size_t i = 0; i < copies; ++i) out += std::to_string(first + i) + ". " + body + end;
  return out;
}

std::string with_word(size_t copies) {
  static const char* const kWords[] = {"red", "salty", "wide", "old", "heavy", "quiet", "round"};
  std::string out;
  uint32_t state = 11;
  for (size_t i = 0; i < copies; ++i) out += std::string("The captain said that the ") + kWords[((state = state * 1664525 + 1013904223) >> 16) % 7] + " door must stay closed.\n";
  return out;
}

}  // namespace

TEST_CASE("counter_loop: copies that count, from the first one on", "[quality]") {
  const std::string before = prose(6) + "\n";
  const std::string tail = counted(90, 95, "The Return of the Captain");
  const auto said = Given().text(before + tail).finish("length").judge();
  REQUIRE(said.alarm("counter_loop"));
  CHECK_FALSE(said.failing("counter_loop"));
  const Finding& finding = said.first("counter_loop");
  CHECK(finding.confidence == Confidence::kCertain);
  CHECK(std::string(finding.reason) == "numbers");
  CHECK(finding.onset_byte == static_cast<int64_t>(before.size()));
  CHECK(finding.onset_byte + finding.length_bytes == static_cast<int64_t>((before + tail).size() - 1));
  CHECK(finding.count >= 89);
  CHECK(finding.count <= 90);
  CHECK(said.clear("repetition_loop"));
}

TEST_CASE("counter_loop: how many copies it takes", "[quality]") {
  const char* const body = "Then look at the next box of the row";
  const auto judge = [&](size_t copies, const char* finish) { return Given().text(prose(4) + counted(copies, 1, body)).finish(finish).judge(); };
  CHECK(judge(7, "length").clear("counter_loop"));
  CHECK(judge(12, "length").alarm("counter_loop"));
  CHECK(judge(100, "stop").clear("counter_loop"));
  CHECK(judge(8, "").clear("counter_loop"));  // under 400 bytes
  CHECK(judge(30, "").alarm("counter_loop"));
  CHECK(judge(30, "").first("counter_loop").confidence == Confidence::kSuspected);
}

TEST_CASE("counter_loop: one word that changes", "[quality]") {
  const auto said = Given().text(prose(5) + with_word(40)).finish("length").judge();
  REQUIRE(said.alarm("counter_loop"));
  CHECK(std::string(said.first("counter_loop").reason) == "words");
  CHECK(said.first("counter_loop").confidence == Confidence::kSuspected);
  CHECK(Given().text(prose(5) + with_word(8)).finish("length").judge().clear("counter_loop"));
  CHECK(Given().text(prose(5) + with_word(40)).finish("stop").judge().clear("counter_loop"));
}

TEST_CASE("counter_loop: roman numerals and characters change like words", "[quality]") {
  static const char* const kRoman[] = {"I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV", "XVI"};
  static const char* const kHan[] = {"一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二", "十三", "十四", "十五", "十六"};
  std::string roman, han;
  for (size_t i = 0; i < 16; ++i) {
    roman += std::string("Chapter ") + kRoman[i] + ": the ship goes on to the north again.\n";
    han += std::string("第") + kHan[i] + "步，再把面团放回盆里醒一会儿。\n";
  }
  CHECK(Given().text(roman).finish("length").judge().alarm("counter_loop"));
  CHECK(Given().text(han).finish("length").judge().alarm("counter_loop"));
}

TEST_CASE("counter_loop: tables, logs, code and lists of names are none", "[quality]") {
  std::string table, json, code, names;
  for (int i = 0; i < 60; ++i) {
    table += "| " + std::to_string(i) + " | " + std::to_string(i * i) + " | ok |\n";
    json += "{\"id\": " + std::to_string(i) + ", \"value\": " + std::to_string(i * 37 % 101) + "},\n";
    code += "    WIDGETS(REG" + std::to_string(i) + ", 0x" + std::to_string(1000 + i) + "),\n";
  }
  for (const std::string& text : {table, json, code}) CHECK(Given().text(text).finish("length").judge().clear("counter_loop"));
  CHECK(Given().text(prose(200)).finish("length").judge().clear("counter_loop"));
}

TEST_CASE("counter_loop: letters of a script without blanks are half a word each", "[quality]") {
  // Consonants and vowels of Thai by chance, of which pairs recur everywhere, are no copies; sentences are.
  std::string thai, copies;
  uint32_t state = 5;
  const auto letter = [&](uint32_t from, uint32_t kinds) {
    state = state * 1664525 + 1013904223;
    const uint32_t code = from + (state >> 16) % kinds;
    return std::string{static_cast<char>(0xE0), static_cast<char>(0x80 | (code >> 6 & 63)), static_cast<char>(0x80 | (code & 63))};
  };
  for (int i = 0; i < 1500; ++i) thai += letter(0x0E01, 3) + letter(0x0E34, 2);
  for (int i = 0; i < 40; ++i) copies += "กัปตันบอกว่าประตู" + letter(0x0E01, 20) + letter(0x0E34, 4) + "ต้องปิดอยู่เสมอ\n";
  for (const char* finish : {"length", ""}) CHECK_FALSE(Given().text(thai).finish(finish).judge().alarm("counter_loop"));
  CHECK(Given().text(copies).finish("length").judge().alarm("counter_loop"));
}

TEST_CASE("counter_loop: what was asked for and ignore_eos are information", "[quality]") {
  const std::string text = counted(50, 1, "I must not run in the corridor of the school");
  const auto asked = Given().prompt("Write it fifty times, with numbers.").text(text).judge();
  CHECK(asked.found("counter_loop"));
  CHECK_FALSE(asked.alarm("counter_loop"));
  CHECK_FALSE(Given().text(text).finish("length").set(IntField::kIgnoreEos, 1).judge().alarm("counter_loop"));
}

TEST_CASE("near_loops: hostile text comes to an end and gives places inside it", "[quality]") {
  const auto fibonacci = [](std::string a, std::string b, size_t size) {
    while (b.size() < size) a = std::exchange(b, b + a);
    return b.substr(0, size);
  };
  std::string bruijn, near = judging::times("ab cd ef gh ", 20000);
  for (uint32_t i = 0; i < 60000; ++i) bruijn += std::to_string(i * 2654435761U % 10) + (i % 7 ? "a " : "b ");
  for (size_t i = 1; i < near.size(); i = i * 5 / 4 + 1) near[i] = 'z';
  NearLoopMemory memory;
  for (const std::string& text : {std::string(300000, 'a'), judging::times("a ", 200000), judging::times("a 1 ", 100000), fibonacci("a ", "a b ", 300000), near, bruijn,
                                  judging::times("\xCC\x81", 100000), std::string(100000, '\0'), judging::times("水", 100000), std::string("x"), std::string()}) {
    const NearLoops found = find_near_loops(text, &memory);
    for (const NearLoop& loop : {found.numbers, found.words}) {
      if (loop.count == 0) continue;
      CHECK(loop.begin <= loop.end);
      CHECK(loop.end <= text.size());
      CHECK(loop.last_copy < text.size());
    }
  }
}
