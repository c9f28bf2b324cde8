#include "catch.h"
#include "text/special_tokens.h"

using namespace vaa;

TEST_CASE("special tokens: size at a place", "[text]") {
  CHECK(special_token_size("<|im_end|>", 0) == 10);
  CHECK(special_token_size("a<|im_end|>b", 1) == 10);
  CHECK(special_token_size("<｜end▁of▁sentence｜>", 0) == 27);
  CHECK(special_token_size("<|\"|>", 0) == 5);
  CHECK(special_token_size("<|\"", 0) == 3);
  CHECK(special_token_size("<unused12>", 0) == 10);
  CHECK(special_token_size("<tool_call|>", 0) == 12);
  CHECK(special_token_size("<|turn>", 0) == 7);
  for (const char* none : {"", "<", "<|", "<||>", "<| x |>", "<unused>", "<b>", "[", "[pad]", "</s>", "<think>", "<｜｜>", "<｜a b｜>"}) {
    INFO(none);
    CHECK(special_token_size(none, 0) == 0);
  }
}

TEST_CASE("special tokens: what is left at the end, and nothing at all", "[text]") {
  CHECK(stripped_size("abc") == 3);
  CHECK(stripped_size("abc \n\u3000<|im_end|> </s>\n") == 3);
  CHECK(stripped_size("abc<b>") == 6);
  CHECK(stripped_size("abc</s></s>", 5) == 7);  // not below the floor
  CHECK(stripped_size("") == 0);
  CHECK(stripped_size("</s></s>") == 0);
  CHECK(is_blank(""));
  CHECK(is_blank(" \t\u00A0<|im_end|></s><pad>"));
  CHECK_FALSE(is_blank(" x"));
  CHECK_FALSE(is_blank("<b>"));
}
