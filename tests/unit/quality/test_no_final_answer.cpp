#include "judging.h"
#include "quality/asks.h"

using namespace vaa;
using judging::Given;

TEST_CASE("no_final_answer: what a prompt asks for", "[quality]") {
  CHECK(read_asks("Put your final answer within \\boxed{}.").boxed);
  for (const char* prompt : {"Answer as JSON.", "Return the intent and slots as JSON.", "Give me a JSON object.", "Respond only in valid JSON", "请以 JSON 格式输出结果。", "请用JSON回答", "返回一个 json 对象"}) {
    INFO(prompt);
    CHECK(read_asks(prompt).json);
  }
  for (const char* prompt : {"Explain what JSON is.", "Parse this JSON and tell me the name.", "What is JSON?", "Convert the JSON to YAML.", "Read data.json", "什么是 JSON？", "JSONL is a format", "Hello"}) {
    INFO(prompt);
    CHECK_FALSE(read_asks(prompt).json);
  }
  for (const char* prompt : {"Choose A, B, C or D.", "Answer the question by replying A, B, C or D.", "The last line should be 'ANSWER: $LETTER' where LETTER is one of ABCD.", "Answer with the letter only.",
                             "你将从A，B，C，D中选出正确的答案", "以下是单项选择题，请选出其中的正确答案。", "请选择 A、B、C 或 D", "Pick one: A/B/C/D"}) {
    INFO(prompt);
    CHECK(read_asks(prompt).letter);
  }
  for (const char* prompt : {"Count the letters in strawberry.", "Write a letter to my landlord.", "What is vitamin A?", "The plan ABCD failed.", "Prove that AB = CD.", "A, B and C are friends."}) {
    INFO(prompt);
    CHECK_FALSE(read_asks(prompt).letter);
  }
}

TEST_CASE("no_final_answer: what an answer holds", "[quality]") {
  CHECK(has_boxed("It is \\boxed{5}."));
  CHECK(has_boxed("\\boxed 5"));
  CHECK_FALSE(has_boxed("It is 5, in a \\boxed{} "));
  CHECK_FALSE(has_boxed("boxed"));
  for (const char* answer : {"B", "The answer is C.", "(D)", "答案是B。", "**A**", "b", "A."}) {
    INFO(answer);
    CHECK(has_letter_answer(answer));
  }
  for (const char* answer : {"A river runs here.", "", "I do not know.", "BC", "It is 5."}) {
    INFO(answer);
    CHECK_FALSE(has_letter_answer(answer));
  }
}

TEST_CASE("no_final_answer: found, not found, not known", "[quality]") {
  const char* const boxed = "What is 2+3? Put the answer in \\boxed{}.";
  CHECK(Given().prompt(boxed).text("It is 5.").finish("stop").judge().alarm("no_final_answer"));
  CHECK_FALSE(Given().prompt(boxed).text("It is 5.").finish("stop").judge().failing("no_final_answer"));
  CHECK(Given().prompt(boxed).text("It is \\boxed{5}.").finish("stop").judge().clear("no_final_answer"));
  CHECK(Given().prompt(boxed).text("").finish("stop").judge().found("no_final_answer"));
  CHECK(Given().prompt("What is 2+3?").text("").finish("stop").judge().clear("no_final_answer"));
  CHECK(Given().text("It is 5.").finish("stop").judge().unknown("no_final_answer"));
  CHECK(Given().set(TextField::kPromptMessages, R"([{"role":"user","content":[{"type":"text","text":"Use \\boxed{}."}]}])").text("5").judge().found("no_final_answer"));
}

TEST_CASE("no_final_answer: what stands in the reasoning does not count", "[quality]") {
  const char* const boxed = "Put the answer in \\boxed{}.";
  CHECK(Given().prompt(boxed).reasoning("So \\boxed{5}").text("It is done.").judge().found("no_final_answer"));
  CHECK(Given().prompt(boxed).text("<think>So \\boxed{5}</think>It is done.").judge().found("no_final_answer"));
  CHECK(Given().text("<think>So \\boxed{5}").finish("length").judge().found("no_final_answer"));
  CHECK(Given().prompt("Answer as JSON").text("").set(TextField::kToolCalls, "[{}]").judge().clear("no_final_answer"));
}
