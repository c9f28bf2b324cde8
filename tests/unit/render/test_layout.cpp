#include "render/layout.h"

#include "catch.h"
#include "render/text_table.h"

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
}

TEST_CASE("layout: lines break at spaces and between wide characters, never before closing punctuation", "[render]") {
  CHECK(wrapped("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrapped("abcdefghij", 4) == std::vector<std::string>{"abcd", "efgh", "ij"});
  CHECK(wrapped("汉字汉字", 4) == std::vector<std::string>{"汉字", "汉字"});
  CHECK(wrapped("汉字，汉字", 4) == std::vector<std::string>{"汉", "字，", "汉字"});
  CHECK(wrapped("", 10) == std::vector<std::string>{""});
  for (const std::string& line : wrapped(std::string(5000, 'x') + " 汉字 " + std::string(5000, ' ') + "y", 40)) CHECK(display_width(line) <= 40);
}

TEST_CASE("layout: no line ends with an opening bracket, and a long path breaks behind its slashes", "[render]") {
  CHECK(wrapped("汉字（字符 6）", 6) == std::vector<std::string>{"汉字", "（字符", "6）"});
  CHECK(wrapped("in (汉字)", 4) == std::vector<std::string>{"in", "(汉", "字)"});
  CHECK(wrapped("a (95 % interval)", 6) == std::vector<std::string>{"a", "(95 %", "interv", "al)"});
  CHECK(wrapped("up to 95 %", 8) == std::vector<std::string>{"up to", "95 %"});
  CHECK(wrapped("at a/run/predictions.jsonl", 20) == std::vector<std::string>{"at", "a/run/", "predictions.jsonl"});
}

TEST_CASE("layout: a table that is too wide breaks headings and text, then leaves optional columns out, then goes in groups", "[render]") {
  Block block;
  block.columns = {"flag", "severity", "healthy up to", "status"};
  block.right = {false, false, true, false};
  block.optional = {1};
  block.rows = {{{"answer_not_extracted", "warn", "0.1 %", "shown only"}, Tone::kPlain}};
  const auto lines = [&](size_t width) {
    std::string text;
    for (const TableLine& line : text_table(block, width)) {
      CHECK(display_width(line.text) <= width);
      text += line.text + "\n";
    }
    return text;
  };
  CHECK(lines(80) == "  flag                  severity  healthy up to  status\n  answer_not_extracted  warn              0.1 %  shown only\n");
  CHECK(lines(53) == "                                  healthy\n  flag                  severity    up to  status\n  answer_not_extracted  warn        0.1 %  shown only\n");
  CHECK(lines(45) == "                          healthy\n  flag                      up to  status\n  answer_not_extracted      0.1 %  shown only\n");
  CHECK(lines(40) == "                        healthy\n  flag                    up to  status\n  answer_not_extracted    0.1 %  shown\n                                 only\n");
  block.columns[3] = "another";
  block.right[3] = true;
  CHECK(lines(40) == "  flag                  healthy up to\n  answer_not_extracted          0.1 %\n  flag                     another\n  answer_not_extracted  shown only\n");
}
