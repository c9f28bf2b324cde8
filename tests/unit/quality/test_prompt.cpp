#include "catch.h"
#include "quality/prompt.h"

using namespace vaa;

namespace {
std::vector<int32_t> numbers(std::string_view text) {
  std::vector<int32_t> out;
  find_numbers(text, 256, &out);
  return out;
}
}  // namespace

TEST_CASE("prompt: numbers in digits and words", "[quality]") {
  using List = std::vector<int32_t>;
  CHECK(numbers("Say it 20 times, or 1,000.") == List{20, 1000});
  CHECK(numbers("twenty-five lines, one hundred rows, a hundred, two dozen") == List{25, 100, 100, 24});
  CHECK(numbers("two hundred and fifty; three thousand five") == List{250, 3005});
  CHECK(numbers("two, three") == List{2, 3});
  CHECK(numbers("重复写三十遍") == List{30});
  CHECK(numbers("十二次，一百二十行，两千零五个，三万") == List{12, 120, 2005, 30000});
  CHECK(numbers("２５遍") == List{25});
  CHECK(numbers("someone often sixty") == List{60});
  CHECK(numbers("99999999999999999999999") == List{1000000});
  CHECK(numbers("").empty());
  std::vector<int32_t> few;
  find_numbers("1 2 3 4 5", 3, &few);
  CHECK(few == List{1, 2, 3});
}

TEST_CASE("prompt: the texts of messages, without their roles", "[quality]") {
  Prompt prompt;
  Sample sample;
  sample.set(TextField::kPromptMessages, R"([{"role":"system","content":"Be \"brief\"."},{"role":"user","content":[{"type":"text","text":"你好\u0021"},{"type":"image_url","image_url":{"url":"x:y"}}]}])");
  prompt.reset(sample);
  CHECK(prompt.recorded());
  CHECK(prompt.text() == "Be \"brief\".\n你好!");
  CHECK(prompt.contains("brief"));
  CHECK_FALSE(prompt.contains("system"));
  CHECK_FALSE(prompt.contains(""));
  sample.set(TextField::kPromptMessages, "no JSON [");
  prompt.reset(sample);
  CHECK(prompt.text() == "no JSON [");
  sample.clear();
  prompt.reset(sample);
  CHECK_FALSE(prompt.recorded());
  CHECK(prompt.numbers().empty());
}
