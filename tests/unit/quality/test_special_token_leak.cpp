#include "judging.h"

using namespace vaa;
using judging::Given;
using judging::times;

TEST_CASE("special_token_leak: the families", "[quality]") {
  for (const char* token : {"<|im_end|>", "<|endoftext|>", "<|reserved_token_4117|>", "<|start_header_id|>", "<｜end▁of▁sentence｜>", "<|\"|>", "<start_of_turn>", "<end_of_turn>",
                            "<unused12>", "[PAD]", "<pad>", "<PAD>", "<unk>", "[UNK]", "[INST]", "</s>", "</parameter>", "</function>", "</tool_call>", "</parameter"}) {
    INFO(token);
    const auto said = Given().text("A heron is a bird.\n" + std::string(token) + "\nAnd more.").finish("stop").judge();
    REQUIRE(said.failing("special_token_leak"));
    CHECK(said.first("special_token_leak").onset_byte == 19);
    CHECK(said.first("special_token_leak").count == 1);
  }
}

TEST_CASE("special_token_leak: what only looks like one", "[quality]") {
  for (const char* text : {"a <| f x |> b", "x <|> y", "if (a <b && c> d)", "<s>old</s> new", "<b>bold</b>", "[1] See [2].", "<unusedname>", "List<pad_t>", "<function=f><parameter=a>1</parameter></function>",
                           "<tool_call>{}</tool_call>", "</functions>", "vector<|", "[INSTALL]", "`<|im_end|>`", "\"<|im_end|>\"", "“<|im_end|>”", "```\n<|im_end|>\n```", "``a ` <|im_end|>``"}) {
    INFO(text);
    CHECK(Given().text(text).finish("stop").judge().clear("special_token_leak"));
  }
}

TEST_CASE("special_token_leak: not where the prompt has it", "[quality]") {
  CHECK(Given().prompt("What does <|im_end|> mean?").text("<|im_end|> closes a message.").judge().clear("special_token_leak"));
  CHECK(Given().prompt("What does <|im_end|> mean?").text("<|im_start|> opens a message.").judge().failing("special_token_leak"));
}

TEST_CASE("special_token_leak: closing tags count when there are more of them than opening ones", "[quality]") {
  CHECK(Given().text("<s>a</s> b</s>").judge().first("special_token_leak").onset_byte == 10);
  CHECK(Given().text("done" + times("</s>", 300)).judge().first("special_token_leak").count == 300);
}

TEST_CASE("special_token_leak: both parts", "[quality]") {
  const auto said = Given().reasoning("so <|im_end|>").text("5<|im_end|>").judge();
  CHECK(said.judgement().findings.size() == 2);
  CHECK(said.judgement().findings[0].part == Part::kText);
  CHECK(said.judgement().findings[1].part == Part::kReasoning);
}

TEST_CASE("special_token_leak: special ids before the last position", "[quality]") {
  const Vocab vocab = judging::make_vocab({"Hello", " there", "<|endoftext|>", "<think>", "<|tool_call_begin|>"}, {2, 3, 4});
  CHECK(Given().text("Hello there").ids({0, 1, 2}).judge(&vocab).clear("special_token_leak"));
  const auto said = Given().text("Hello there").ids({0, 2, 1, 2}).judge(&vocab);
  REQUIRE(said.failing("special_token_leak"));
  CHECK(said.first("special_token_leak").onset_token == 1);
  CHECK(said.first("special_token_leak").count == 1);
  CHECK(Given().text("Hello there").ids({3, 4, 0, 1, 2}).judge(&vocab).clear("special_token_leak"));
  const auto forced = Given().text("Hello there").ids({0, 2, 1}).set(IntField::kIgnoreEos, 1).judge(&vocab);
  CHECK(forced.found("special_token_leak"));
  CHECK_FALSE(forced.alarm("special_token_leak"));
  CHECK(Given().ids({0, 2, 1}).judge().unknown("special_token_leak"));
  CHECK(Given().ids({0, -7, 900, 1}).judge(&vocab).clear("special_token_leak"));
}

TEST_CASE("special_token_leak: padding behind the end, and tokens that a parser takes out", "[quality]") {
  const Vocab vocab = judging::make_vocab({"Hello", " there", "<pad>", "<eos>", "[TOOL_CALLS]", "<|python_tag|>", "<|object_ref_start|>", "<|box_end|>"}, {2, 3, 4, 5, 6, 7});
  CHECK(Given().text("Hello there").ids({0, 1, 3, 2, 2, 2}).judge(&vocab).clear("special_token_leak"));
  CHECK(Given().text("Hello there").ids({0, 1, 3, 2, 2, 2}).finish("stop").judge(&vocab).clear("special_token_leak"));
  CHECK(Given().text("Hello there").ids({0, 1, 3, 3, 3, 3}).finish("length").judge(&vocab).first("special_token_leak").count == 3);
  CHECK(Given().text("Hello there").ids({0, 2, 1, 3, 2}).finish("stop").judge(&vocab).first("special_token_leak").onset_token == 1);
  CHECK(Given().text("Hello there").ids({4, 0, 5, 1, 6, 0, 7, 1, 3}).finish("stop").judge(&vocab).clear("special_token_leak"));
}

TEST_CASE("special_token_leak: quoted where the prompt speaks of templates, but not behind the last word", "[quality]") {
  const auto judge = [](const char* prompt, const char* text) { return Given().prompt(prompt).text(text).finish("stop").judge(); };
  const char* const told = "ChatML puts each turn between <|im_start|> and <|im_end|> lines.";
  CHECK_FALSE(judge("Explain the chat template of Qwen.", told).alarm("special_token_leak"));
  CHECK_FALSE(judge("介绍一下 Qwen 的对话模板", told).alarm("special_token_leak"));
  CHECK(judge("Explain Qwen.", told).failing("special_token_leak"));
  CHECK(judge("Explain the chat template of Qwen.", "It has turns.<|im_end|>").failing("special_token_leak"));
}
