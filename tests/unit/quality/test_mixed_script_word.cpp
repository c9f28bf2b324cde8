#include "judging.h"

using namespace vaa;
using judging::Given;

TEST_CASE("mixed_script_word: Cyrillic look-alikes within Latin words", "[quality]") {
  const auto said = Given().text("Coal went up and сloth сamе down, and brеad fell.").judge();
  REQUIRE(said.alarm("mixed_script_word"));
  const Finding& finding = said.first("mixed_script_word");
  CHECK(finding.severity == Severity::kWarn);
  CHECK(finding.confidence == Confidence::kSuspected);
  CHECK(finding.count == 3);
  CHECK(finding.onset_byte == 19);  // the letter behind the first change, in the first word
  CHECK(finding.onset_char == 18);
  CHECK(Given().text("сloth сamе brеad fоr thе mulеs").judge().first("mixed_script_word").confidence == Confidence::kCertain);
}

TEST_CASE("mixed_script_word: one word is none", "[quality]") {
  CHECK(Given().text("The old сloth was sold at the market.").judge().clear("mixed_script_word"));
}

TEST_CASE("mixed_script_word: pairs that healthy text writes", "[quality]") {
  for (const char* text : {"vLLM使用KV和GPU，输出token数", "서버API와 GPU를 쓴다, REST방식", "αΔt and μm and Δx, λmax", "ระบบAPIและGPUใช้", "وPython والAPI بالGPU", "ChatGPTയുടെ AIలో Pythonನಲ್ಲಿ", "Pythonის და APIს",
                           "SuperПробел ДанныеB SuperTab", "printf(\"\\nПривет\"); puts(\"%sПока\");", "IT-компания, PDF-файл, 3D-печать", "データbase 漢字kanji ひらがなtext"})
    CHECK(Given().text(text).judge().clear("mixed_script_word"));
}

TEST_CASE("mixed_script_word: a long text in front of it changes nothing", "[quality]") {
  const std::string front = judging::prose(30) + "\nFirst line\n";
  const auto said = Given().text(front + "сloth сamе").judge();
  CHECK(said.first("mixed_script_word").count == 2);
  CHECK(said.first("mixed_script_word").onset_byte == static_cast<int64_t>(front.size() + 2));
}
