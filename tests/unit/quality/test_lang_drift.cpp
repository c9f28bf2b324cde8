#include "judging.h"

using namespace vaa;
using judging::Given;

namespace {

const std::string kEnglish =
    "A message queue lets two programs work at different speeds. The producer writes a message and carries on; the consumer reads it when it is ready. If the consumer stops, messages wait instead of "
    "being lost. That is useful when traffic comes in bursts, because the queue smooths the load. It also brings new questions, and what happens to a message that cannot be processed is one of them. ";
const std::string kChinese = "如果消费者停止工作，消息会留在队列里等待，不会丢失。当流量突然增加时，队列可以起到缓冲的作用。另外还需要考虑顺序问题，单个读者可以保证顺序，多个读者就不一定了。";
const std::string kSpanish =
    "El mercado abre temprano y los primeros en llegar son los panaderos. Traen el pan todavía caliente y lo colocan en cestas de mimbre. Poco después llegan los pescadores, que discuten el precio con los "
    "dueños de los restaurantes. A media mañana la plaza está llena y es difícil caminar sin tropezar con alguien. Mi abuela siempre decía que las mejores naranjas se encuentran en el último puesto, junto a la "
    "fuente, porque el hombre que las vende las recoge él mismo. Cuando terminaban las compras, nos sentábamos a la sombra y ella contaba historias de cuando el pueblo no tenía luz. ";

}  // namespace

TEST_CASE("lang_drift: another script than the prompt's", "[quality]") {
  const std::string text = kEnglish + kChinese + kChinese;
  const auto said = Given().prompt("Summarise the uploaded document in English.").text(text).judge();
  REQUIRE(said.alarm("lang_drift"));
  const Finding& finding = said.first("lang_drift");
  CHECK(finding.severity == Severity::kWarn);
  CHECK(finding.confidence == Confidence::kCertain);
  CHECK(finding.onset_byte == static_cast<int64_t>(kEnglish.size()));
  CHECK(finding.length_bytes == static_cast<int64_t>(2 * kChinese.size()));
  CHECK(std::string_view(finding.reason) == "script");
  CHECK(Given().prompt("请介绍一下消息队列。").text(kChinese + kEnglish).judge().alarm("lang_drift"));
}

TEST_CASE("lang_drift: another language of the same script", "[quality]") {
  const auto said = Given().prompt("Write me a poem in English about absence.").text(kEnglish + kSpanish).judge();
  REQUIRE(said.alarm("lang_drift"));
  CHECK(std::string_view(said.first("lang_drift").reason) == "words");
  CHECK(said.first("lang_drift").count >= 2);
}

TEST_CASE("lang_drift: an answer all in another language than a prompt of twenty words", "[quality]") {
  const auto said = Given().prompt("Tell me what you know of the markets in the old towns by the sea, and of the people who come to them in the morning.").text(kSpanish + kSpanish).judge();
  REQUIRE(said.alarm("lang_drift"));
  CHECK(std::string_view(said.first("lang_drift").reason) == "words_from_start");
  CHECK(said.first("lang_drift").confidence == Confidence::kSuspected);
  CHECK(Given().prompt("Markets by the sea?").text(kSpanish + kSpanish).judge().clear("lang_drift"));
}

TEST_CASE("lang_drift: what was asked for is none", "[quality]") {
  CHECK(Given().prompt("Translate into Chinese: a queue").text(kChinese + kChinese).judge().clear("lang_drift"));
  CHECK(Given().prompt("Say it in Mandarin, please.").text(kEnglish + kChinese).judge().clear("lang_drift"));
  CHECK(Given().prompt("写一篇英语作文").text(kEnglish).judge().clear("lang_drift"));
  CHECK(Given().prompt("Read this and go on in Spanish").text(kEnglish + kSpanish).judge().clear("lang_drift"));
  CHECK(Given().prompt("解释这段话：" + kEnglish).text(kChinese + kEnglish).judge().clear("lang_drift"));
}

TEST_CASE("lang_drift: technical Chinese, code, quotations and short prompts are none", "[quality]") {
  CHECK(Given().prompt("解释一下 PagedAttention").text(judging::times("vLLM使用PagedAttention管理KV cache，每个block保存固定数量的token。", 6)).judge().clear("lang_drift"));
  CHECK(Given().prompt("写一个脚本").text(kChinese + "```\n" + kEnglish + "\n```\n" + kChinese).judge().clear("lang_drift"));
  CHECK(Given().prompt("列出命令").text(kChinese + judging::times("apt install libfoo-dev libbar-dev cmake ninja ccache ", 8)).judge().clear("lang_drift"));
  CHECK(Given().prompt("1+1").text(kChinese).judge().clear("lang_drift"));
}

TEST_CASE("lang_drift: a thought in another language than the answer is normal", "[quality]") {
  CHECK(Given().prompt("How does a queue work?").reasoning(kChinese + kChinese).text(kEnglish).judge().clear("lang_drift"));
  CHECK(Given().prompt("How does a queue work?").text("<think>" + kChinese + kChinese + "</think>" + kEnglish).judge().clear("lang_drift"));
}

TEST_CASE("lang_drift: without a prompt it is unknown", "[quality]") { CHECK(Given().text(kEnglish + kChinese).judge().unknown("lang_drift")); }

TEST_CASE("lang_drift: a program without a fence is no drift, prose with brackets is", "[quality]") {
  std::string program = "\"\"\"Reads the words of a file and counts how often each of them is in it, so that the list can be printed by the caller.\"\"\"\nimport collections\n\n\ndef count(path):\n";
  for (int i = 0; i < 6; ++i)
    program += "    # the words that are in the line are counted, and then it is the turn of the next line of the file\n    for word in line.split():\n        total[word] += 1\n";
  program += "    return total\n";
  CHECK(Given().prompt("写一个统计词频的脚本，只输出代码").text(program).finish("stop").judge().clear("lang_drift"));
  std::string listed;
  for (int i = 0; i < 8; ++i) listed += kEnglish + "That is the first of the points (as it was said).\n";
  CHECK(Given().prompt("请介绍一下消息队列。").text(listed).finish("stop").judge().alarm("lang_drift"));
}
