#include "judging.h"

using namespace vaa;
using judging::Given;

TEST_CASE("tokenizer_artifact: Ġ between words", "[quality]") {
  const auto said = Given().text("AĠmessageĠqueueĠlets two programs").judge();
  REQUIRE(said.failing("tokenizer_artifact"));
  const Finding& finding = said.first("tokenizer_artifact");
  CHECK(finding.onset_byte == 1);
  CHECK(finding.count == 3);
  CHECK(finding.length_chars == 15);  // from the first Ġ to the last
  CHECK(std::string_view(finding.reason) == "byte_level");
}

TEST_CASE("tokenizer_artifact: ▁ before words", "[quality]") {
  const auto said = Given().text("▁▁ three\n ▁ two\n▁one▁more▁line").judge();
  REQUIRE(said.failing("tokenizer_artifact"));
  CHECK(said.first("tokenizer_artifact").count == 3);
  CHECK(std::string_view(said.first("tokenizer_artifact").reason) == "sentencepiece");
  CHECK(Given().text("▁один▁два").judge().failing("tokenizer_artifact"));
}

// "你好，世界。今天" in the letters that byte-level BPE gives the bytes of its UTF-8 (GPT-2's bytes_to_unicode).
TEST_CASE("tokenizer_artifact: Chinese in byte-level letters", "[quality]") {
  CHECK(Given().text("ä½łå¥½ï¼Įä¸ĸçķĮãĢĤä»Ĭå¤©").judge().failing("tokenizer_artifact"));
}

TEST_CASE("tokenizer_artifact: Maltese, sparklines, code and the prompt's are none", "[quality]") {
  for (const char* text : {"Ġenerazzjoni ġdida: il-Ġimgħa fil-Ġnien, DRITTIJIET ĠENERALI TAL-ĠUSTIZZJA, DIĠITALI, MAĠISTRAT", "▁▂▃▄▅▆▇█ ▁▂▃", "_______ ▁▁▁▁▁▁▁", "A `Ġthe▁of▁` token", "Ġ and ▁ are marks"})
    CHECK(Given().text(text).judge().clear("tokenizer_artifact"));
  CHECK(Given().prompt("Why do tokens look like Ġthe?").text("ĠtheĠofĠandĠto").judge().clear("tokenizer_artifact"));
  CHECK(Given().ids({1}).judge().unknown("tokenizer_artifact"));
}
