#include "render/layout.h"

#include "catch.h"

using namespace vaa;

TEST_CASE("layout: what moves the cursor, hides or turns text round is written as an escape", "[render]") {
  CHECK(clean("a\x1b[31mb") == "a\\u001b[31mb");
  CHECK(clean(std::string_view("\0\x07\x7f", 3)) == "\\u0000\\u0007\\u007f");
  CHECK(clean("\n\r\t") == "\\n\\r\\t");
  CHECK(clean("\xc2\x85\xc2\x9b") == "\\u0085\\u009b");                       // C1
  CHECK(clean("\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8f") == "\\u202e\\u2066\\u200f");  // bidi
  CHECK(clean("\xe2\x80\x8b\xef\xbb\xbf") == "\\u200b\\ufeff");
  CHECK(clean("\xe2\x80\xa8\xe2\x80\xa9") == "\\u2028\\u2029");
  CHECK(clean("\xff\xc0z") == "\\xff\\xc0z");
  CHECK(clean("\xed\xa0\x80") == "\\ud800");
  CHECK(clean("\xf3\xa0\x81\x81") == "\\U000e0041");  // a tag
  CHECK(clean("汉字 é 😀 \\boxed{5}") == "汉字 é 😀 \\boxed{5}");
  std::string marks = "a";
  for (int i = 0; i < 50; ++i) marks += "\xcc\x81";
  CHECK(clean(marks).find("\\u0301") == 1 + 4 * 2);
}

TEST_CASE("layout: Chinese characters and emoji take two columns, marks none", "[render]") {
  CHECK(display_width("abc") == 3);
  CHECK(display_width("汉字，") == 6);
  CHECK(display_width("ｆｕｌｌ") == 8);
  CHECK(display_width("e\xcc\x81") == 1);
  CHECK(display_width("😀") == 2);
  CHECK(display_width("▁█·…") == 4);
  CHECK(padded("汉", 4, true) == "  汉");
  CHECK(padded("汉", 4, false) == "汉  ");
  CHECK(cut_to_width("汉字汉字", 8) == "汉字汉字");
  CHECK(cut_to_width("汉字汉字", 6) == "汉字…");
  CHECK(display_width(cut_to_width("汉字汉字", 7)) <= 7);
}

TEST_CASE("layout: lines break at spaces and between wide characters, never before closing punctuation", "[render]") {
  CHECK(wrapped("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrapped("abcdefghij", 4) == std::vector<std::string>{"abcd", "efgh", "ij"});
  CHECK(wrapped("汉字汉字", 4) == std::vector<std::string>{"汉字", "汉字"});
  CHECK(wrapped("汉字，汉字", 4) == std::vector<std::string>{"汉", "字，", "汉字"});
  CHECK(wrapped("", 10) == std::vector<std::string>{""});
  for (const std::string& line : wrapped(std::string(5000, 'x') + " 汉字 " + std::string(5000, ' ') + "y", 40)) CHECK(display_width(line) <= 40);
}
