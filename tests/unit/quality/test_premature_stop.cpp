#include "judging.h"

using namespace vaa;
using judging::Given;
using judging::prose;

namespace {

judging::Verdicts judge(const std::string& text, const char* finish = "stop") {
  Given given;
  given.text(text);
  if (*finish) given.finish(finish);
  return given.judge();
}
std::string reason(const judging::Verdicts& said) { return said.first("premature_stop").reason; }

}  // namespace

TEST_CASE("premature_stop: a line of prose that stops inside a sentence", "[quality]") {
  for (const auto& [text, why] : std::vector<std::pair<const char*, const char*>>{
           {"The path leaves the village by the old bridge and climbs to the summit at 2,", "comma"},
           {"1. **Reaction**: The kind of reaction, whether it is laughter, shock, surprise,", "comma"},
           {"- The museum tells the story of the harbour and of the people who built the", "function_word"},
           {"He asked what the two readings have in common and wrote both of them down because", "function_word"},
           {"A longer account of the same journey, which took eleven days by cart, goes as follows:", "colon"},
           {"First the two numbers are put below each other by the point. Then one compares", "sentence"},
           {"Why does the wheel turn? Because the water that the mill race brings pushes", "sentence"},
           {"Зимой река замерзала почти до самого дна. Весной лёд трескался с таким шум", "sentence"},
           {"Le marché se tient le mardi sur la grande place. On y vend des légumes et du froma", "sentence"},
           {"泡茶先要看水。山泉最好，其次是干净的自来水，放一放再烧。绿茶不要用滚水，八十度左右就", "cjk_sentence"},
           {"泡茶先要看水。山泉最好，其次是干净的自来水，放一放再烧。绿茶不要用滚水，", "comma"},
           {"お茶を入れるときはまず水を見ます。山の水が一番よくて、次はきれいな水道水で", "cjk_sentence"},
       }) {
    INFO(text);
    const auto said = judge(text);
    REQUIRE(said.found("premature_stop"));
    CHECK(reason(said) == why);
    CHECK_FALSE(said.failing("premature_stop"));
    const bool certain = std::string(why) == "comma" || std::string(why) == "function_word";
    CHECK((said.first("premature_stop").confidence == Confidence::kCertain) == certain);
  }
}

TEST_CASE("premature_stop: whole texts of all kinds", "[quality]") {
  const std::string sentence = "The first sentence of the answer has its end. ";
  for (const std::string& text : std::vector<std::string>{
           "Yes",
           "The Complete Guide to Walking the Northern Coast in Winter With a Dog",
           sentence + sentence + "\n- walnut\n- slate and granite from the quarries of the northern hills",
           sentence + "The morning was quiet and nobody was awake. #canal #towpath #heron #morninglight",
           sentence + "Read more of it at https://example.org/a/very/long/path/to/the/text/of/the/article",
           sentence + "\"Two things are infinite and the other one is the sky above us. So it goes.\" - Albert Einstein",
           sentence + "Each of them walks 3 miles. Together they walk 3 + 3 miles, which is = 6 miles in all",
           sentence + "Both of the numbers were added and the sum was halved. So the answer is blue",
           sentence + "Nothing of this was known before the war. (It was published later.)",
           sentence + "The report said: \"Nothing of this was known before the great war.\"",
           sentence + "It was the best that anybody had seen for many years in the valley 🎉",
           "Row, row, the tide is slow,\nThe lamp is lit where the herons go,\nRow, row, and let it be",
           "Dear Sir,\n\nThank you for the letter of last week. I have read it.\n\nYours sincerely,\nJohn Smith",
           "Kind regards,",
           "ตลาดน้ำเริ่มคึกคักตั้งแต่เช้าตรู่ พ่อค้าแม่ค้าพายเรือมาจากสวนริมคลอง ราคา 5 บาท! ในเรือมีผลไม้ ผักสด ขนมหวาน และก๋วยเตี๋ยวร้อนๆ",
           "夏天的雨来得很快。刚才还是大太阳，转眼云就压到了楼顶。风把晾在外面的衣服吹得鼓起来。",
           "今天的菜单：清蒸鲈鱼、红烧肉、蒜蓉西兰花、番茄炒蛋、酸辣汤、米饭和水果拼盘还有甜点",
           "```python\nprint('a long line of code that ends in a word of its own. And so it goes on with the')\n# and here the comment, which is long enough, ends with the\n```",
           "```python\n# the fence is never closed and this comment is long enough. It ends with the",
           "| City | What one finds there when one walks about. It is long | and the |",
           "\"name\": \"a value of a line of JSON without any braces around it at all\",",
           "The whole thing costs 4 coins a day, and 9 days pass. That makes for all of them 36",
       }) {
    INFO(text);
    CHECK(judge(text).clear("premature_stop"));
  }
}

TEST_CASE("premature_stop: where the sentence begins that has no end", "[quality]") {
  const std::string whole = "Der Zug hielt auf freier Strecke, und niemand sagte, warum das so war. ", half = "Zuerst blieben alle ganz ruhig, dann begannen";
  const auto said = judge(whole + half + " \n");
  const Finding& finding = said.first("premature_stop");
  CHECK(finding.part == Part::kText);
  CHECK(finding.onset_byte == static_cast<int64_t>(whole.size()));
  CHECK(finding.length_bytes == static_cast<int64_t>(half.size()));
}

TEST_CASE("premature_stop: only an answer that ended by itself", "[quality]") {
  const char* const half = "First the two numbers are put below each other by the point. Then one compares";
  for (const char* finish : {"length", "abort", "error", "content_filter", "repetition"}) {
    INFO(finish);
    CHECK(judge(half, finish).clear("premature_stop"));
  }
  CHECK(judge(half, "").unknown("premature_stop"));
  CHECK(judge(half, "unknown").unknown("premature_stop"));
  CHECK(judge("Done.", "").clear("premature_stop"));
  CHECK(Given().ids({1, 2}).finish("stop").judge().unknown("premature_stop"));
}

TEST_CASE("premature_stop: a colon that asks for input is an end", "[quality]") {
  CHECK(judge("Sure, what would you like me to translate today? Please paste the text here:").clear("premature_stop"));
  CHECK(judge("好的，我可以帮您把这段文字翻译成流畅自然的英文，并保留原来的语气，请把文本贴在这里：").clear("premature_stop"));
  CHECK(reason(judge("To install it on your own machine you should please type the following commands:")) == "colon");
  CHECK(reason(judge("There are three reasons for which the canal was dug by hand, and they are these:")) == "colon");
}

TEST_CASE("premature_stop: a stop string is named", "[quality]") {
  const char* const half = "First the two numbers are put below each other by the point. Then one compares";
  CHECK(reason(Given().text(half).finish("stop").set(TextField::kStopReason, "###").judge()) == "stop_string");
  CHECK(reason(Given().text(half).finish("stop").set(TextField::kStopReason, "151645").judge()) == "sentence");
}

TEST_CASE("premature_stop: half a tool call, and none beside a whole one", "[quality]") {
  const auto said = judge("<tool_call>\n{\"name\": \"exec\", \"arguments\": {\"cmd\": \"mkdir /data && cat > /data");
  CHECK(reason(said) == "open_json");
  CHECK(said.first("premature_stop").confidence == Confidence::kCertain);
  Given recorded;
  recorded.text("Now I look at what is in the folder and in the three files of it, so that:").finish("tool_calls");
  recorded.set(TextField::kToolCalls, R"([{"function":{"name":"ls","arguments":"{\"path\":\"/d\"}"}}])");
  CHECK(recorded.judge().clear("premature_stop"));
  recorded.set(TextField::kToolCalls, R"([{"function":{"name":"ls","arguments":"{\"path\":\"/d"}}])");
  CHECK(reason(recorded.judge()) == "open_json");
  CHECK(recorded.judge().first("premature_stop").part == Part::kSample);
}

TEST_CASE("premature_stop: an open thought has its own flag", "[quality]") {
  CHECK(judge("<think>First the two numbers are put below each other by the point. Then one compares").clear("premature_stop"));
  CHECK(judge("<think>It is so.</think>The two numbers are put below each other by the point. Then one compares").found("premature_stop"));
}
