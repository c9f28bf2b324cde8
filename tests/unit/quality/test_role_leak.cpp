#include "judging.h"

using namespace vaa;
using judging::Given;
using judging::times;

namespace {

judging::Verdicts judge(const std::string& text, const char* prompt = "What is a heron?") { return Given().prompt(prompt).text(text).finish("stop").judge(); }
std::string reason(const judging::Verdicts& said) { return said.first("role_leak").reason; }

}  // namespace

TEST_CASE("role_leak: turns of templates behind the answer", "[quality]") {
  for (const char* turn : {"<|im_start|>user\nAnd", "<|im_start|>assistant\nMore", "<start_of_turn>user\nAnd", "<start_of_turn>model\nMore", "<|start_header_id|>user<|end_header_id|>", "<|user|>\nAnd",
                           "<｜User｜>And", "<｜Assistant｜>More", "[INST] And", "<|start|>user<|message|>And", "<|turn>user\nAnd", "<|im_user|>user"}) {
    INFO(turn);
    const auto said = judge("A tall bird.\n" + std::string(turn));
    REQUIRE(said.failing("role_leak"));
    CHECK(reason(said) == "template");
    CHECK(said.first("role_leak").onset_byte == 13);
    CHECK(said.first("role_leak").count == 1);
  }
}

TEST_CASE("role_leak: a header before the answer, channels and quotations are none", "[quality]") {
  for (const char* text : {"<|im_start|>assistant\nA tall bird.", "<|assistant|> A tall bird.", "It is so.<|end|><|start|>assistant<|channel|>final<|message|>A bird.", "`<|im_start|>user` opens a turn.",
                           "```\n<|im_start|>user\n```", "\"<|im_start|>\"user", "A bird.<|im_end|>", "A bird.<|im_start|>system", "A bird. [/INST]"}) {
    INFO(text);
    CHECK(judge(text).clear("role_leak"));
  }
}

TEST_CASE("role_leak: a prompt that shows the token excuses it, a rendered template does not", "[quality]") {
  CHECK(judge("First <|im_start|>user, then the text.", "What does <|im_start|> mean?").clear("role_leak"));
  CHECK(judge("A bird.<|im_start|>user\nAnd", "<|im_start|>user\nWhat is a heron?<|im_end|>\n<|im_start|>assistant\n").failing("role_leak"));
  CHECK(judge("A bird.<|im_start|>user\nAnd", "<|im_start|>user\nWhat?<|im_end|>\n<|im_start|>assistant\n<think>\n").failing("role_leak"));
}

TEST_CASE("role_leak: names before colons", "[quality]") {
  for (const char* text : {"In a bag.\n\n### Human: And rolls?\n### Assistant: In the cold.", "In a bag.\n### Human: And?\n\n### Human: Or?", "In a bag.\nHuman: And?\nAssistant: In the cold.",
                           "In a bag.\n**User:** And?\n**Assistant:** In the cold.", "In a bag. USER: And? ASSISTANT: In the cold.", "In a bag.\nUser: And?\nAI: In the cold."}) {
    INFO(text);
    const auto said = judge(text);
    REQUIRE(said.failing("role_leak"));
    CHECK(reason(said) == "names");
    CHECK(said.first("role_leak").confidence == Confidence::kCertain);
    CHECK(said.first("role_leak").count == 2);
  }
}

TEST_CASE("role_leak: plays, programs and lists of settings are none", "[quality]") {
  for (const char* text : {"ROMEO: Shall I hear more?\nJULIET: What man art thou?\nNURSE: Madam!", "The Infamous Program.\nRomeo, a young man.\nAct I: Human curses.\n[Enter Romeo]\nRomeo:\n You are a pig.",
                           "user: root\nassistant: none\nimage: base", "There is one Human: the writer.", "Human: one voice only.\nHuman: and again.", "### Human\nA chapter about people.",
                           "```\nHuman: a\nAssistant: b\n```", "Species:\nHuman: yes\nHeron: yes", "My assistant\n\nhelps me.", "An assistant assistant works here."}) {
    INFO(text);
    CHECK(judge(text).clear("role_leak"));
  }
}

TEST_CASE("role_leak: a dialogue that was asked for, and one that is the whole answer", "[quality]") {
  const char* const dialogue = "Here it is:\nUser: Hello.\nAssistant: Good morning.";
  CHECK_FALSE(judge(dialogue, "Write a dialogue of two lines.").alarm("role_leak"));
  CHECK_FALSE(judge(dialogue, "写一段用户和助手的对话。").alarm("role_leak"));
  CHECK(judge(dialogue, "### Human: write a dialogue\n### Assistant:").failing("role_leak"));
  const auto whole = judge("User: Hello.\nAssistant: Good morning.");
  CHECK(whole.alarm("role_leak"));
  CHECK_FALSE(whole.failing("role_leak"));
}

TEST_CASE("role_leak: the name glued to itself, and what a header leaves", "[quality]") {
  const auto said = judge("The cables only feel compres\n\n" + times("assistant", 400));
  REQUIRE(said.failing("role_leak"));
  CHECK(reason(said) == "glued");
  CHECK(said.first("role_leak").onset_byte == 30);
  CHECK(said.first("role_leak").length_bytes == 18);
  CHECK(reason(judge("A tall bird.assistant\n\nA heron is a bird.")) == "header");
}

TEST_CASE("role_leak: found at any place of a long text", "[quality]") {
  for (size_t before = 0; before < 40; ++before) CHECK(judge(std::string(before, '.') + "assistantassistant" + std::string(before, '-')).found("role_leak"));
}

TEST_CASE("role_leak: unknown without a text", "[quality]") { CHECK(Given().ids({1}).judge().unknown("role_leak")); }

TEST_CASE("role_leak: the glued name in code and tokens quoted for a question about templates are none", "[quality]") {
  CHECK(judge("Endpoints of some models write `assistantassistant` until the limit.").clear("role_leak"));
  CHECK(judge("It goes `on`. assistantassistant").failing("role_leak"));
  CHECK_FALSE(judge("In Llama 2 [INST] and [/INST] surround the message.", "Explain the chat template of Llama 2.").alarm("role_leak"));
  CHECK(judge("In Llama 2 [INST] and [/INST] surround the message.").failing("role_leak"));
  CHECK_FALSE(judge("Human: What is love?\nAI: A question of chemistry.", "Write a short screenplay about a human and an AI").alarm("role_leak"));
}
