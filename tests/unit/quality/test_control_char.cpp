#include "judging.h"

using namespace vaa;
using judging::Given;

TEST_CASE("control_char: C0 but tab and line ends, and DEL", "[quality]") {
  for (int c = 0; c <= 0xFF; ++c) {
    std::string text = "A line of text, long enough to be read in blocks, then ";
    if (c < 0x80) text += static_cast<char>(c);
    else text += {static_cast<char>(0xC0 | (c >> 6)), static_cast<char>(0x80 | (c & 0x3F))};
    text += " and the rest of it.";
    INFO("code " << c);
    const bool bad = (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F;
    CHECK(Given().text(text).finish("stop").judge().failing("control_char") == bad);
  }
}

TEST_CASE("control_char: NUL ends nothing", "[quality]") {
  const auto said = Given().text(std::string("水\0\0 b\0", 8)).finish("stop").judge();
  const Finding& finding = said.first("control_char");
  CHECK(finding.onset_byte == 3);
  CHECK(finding.onset_char == 1);
  CHECK(finding.length_bytes == 2);
  CHECK(finding.count == 3);
}

TEST_CASE("control_char: not those of the prompt", "[quality]") {
  CHECK(Given().prompt("Explain \x1B[1m").text("It is \x1B[1m.").judge().clear("control_char"));
  const auto other = Given().prompt("Explain \x1B[1m").text("It is \x1B[1m\x07.").judge();
  CHECK(other.first("control_char").count == 1);
  CHECK(other.first("control_char").onset_byte == 10);
}

TEST_CASE("control_char: escape sequences that the prompt speaks of are information, others and half ones are not", "[quality]") {
  const char* const red = "Here: \x1B[1;31mred\x1B[0m";
  for (const char* prompt : {"print red text", "Use ANSI codes", "在终端里显示红色"}) CHECK(Given().prompt(prompt).text(red).judge().first("control_char").severity == Severity::kInfo);
  CHECK(Given().prompt("Say hello.").text(red).judge().failing("control_char"));
  CHECK(Given().prompt("print red text").text("It is \x1B of a kind").judge().failing("control_char"));
  const auto other = Given().prompt("print red text").text(std::string(red) + "\x03").judge();
  CHECK(other.failing("control_char"));
  CHECK(other.first("control_char").count == 1);
}

TEST_CASE("control_char: a form feed alone on its line parts pages", "[quality]") {
  CHECK(Given().text("import os\n\f\nclass Reader:\n    pass\n").finish("stop").judge().clear("control_char"));
  CHECK(Given().text("import os\n\fclass Reader:\n").finish("stop").judge().failing("control_char"));
}
