// OpenCompass's predictions: texts, lists, the rollout's objects, gold (docs/formats.md, 3).
#include "catch.h"
#include "read_samples.h"

using namespace vaa;
using namespace vaa_test;

TEST_CASE("opencompass: prompt roles, gold, tokens of a genuine shape", "[records]") {
  const Reading reading = read_input(golden_sample("opencompass_predictions_gsm8k.json"));
  REQUIRE(reading.samples.size() == 10);
  const Sample& sample = reading.samples[0];
  CHECK(sample.text(TextField::kScoreGold) == "28");
  CHECK(sample.integer(IntField::kCompletionTokens, 0) == 54);
  CHECK(sample.text(TextField::kPromptMessages).find("\"user\"") != std::string::npos);
  CHECK(sample.text(TextField::kPromptMessages).find("HUMAN") == std::string::npos);
  CHECK(sample.text(TextField::kPromptMessages).find('\n') == std::string::npos);
  CHECK(sample.text(TextField::kOutputReasoning) == "\nStart with 14 + 9 = 23. Five more blue ones give 28.\n");
  CHECK_FALSE(sample.has(TextField::kFinishReason));
  CHECK(reading.samples[2].has(TextField::kOutputText));
  CHECK(reading.samples[2].text(TextField::kOutputText).empty());
  CHECK(reading.samples[4].text(TextField::kOutputText).substr(0, 8) == "<think>\n");
}

TEST_CASE("opencompass: a list of predictions is several answers, null is not recorded", "[records]") {
  const Reading reading = read_bytes(R"({"0":{"origin_prompt":"p","prediction":["a",null,"c"],"gold":["x","y"],"res_length":9},"1":{"origin_prompt":[{"role":"BOT","prompt":"b"}],"prediction":null},"2":{"prediction":[]}})", "ds.json");
  CHECK(reading.problems.count == 0);
  REQUIRE(reading.samples.size() == 5);
  const char* texts[] = {"a", "", "c"};
  for (size_t i = 0; i < 3; ++i) {
    CHECK(reading.samples[i].text(TextField::kId) == "0");
    CHECK(reading.samples[i].integer(IntField::kRepeat, -1) == static_cast<int64_t>(i));
    CHECK(reading.samples[i].text(TextField::kOutputText) == texts[i]);
    CHECK(reading.samples[i].text(TextField::kPromptText) == "p");
    CHECK(reading.samples[i].text(TextField::kScoreGold) == R"(["x","y"])");
    CHECK_FALSE(reading.samples[i].has(IntField::kCompletionTokens));
  }
  CHECK_FALSE(reading.samples[1].has_output());
  CHECK_FALSE(reading.samples[3].has_output());
  CHECK_FALSE(reading.samples[4].has_output());
  CHECK(reading.samples[0].text(TextField::kDataset) == "ds");
}

TEST_CASE("opencompass: the rollout model's object", "[records]") {
  const Reading reading = read_bytes(R"({"0":{"prediction":{"prediction":"x","rollout":{"token_logprobs":[-0.5,-0.25],"num_tokens":2,"sum_neg_logprob":0.75,"finish_reason":"length"}}}})", "ds.json");
  REQUIRE(reading.samples.size() == 1);
  CHECK(reading.samples[0].text(TextField::kOutputText) == "x");
  CHECK(reading.samples[0].text(TextField::kFinishReason) == "length");
  CHECK(reading.samples[0].integer(IntField::kCompletionTokens, 0) == 2);
  CHECK(reading.samples[0].real_lists.get(RealsField::kOutputLogprobs) == std::vector<double>{-0.5, -0.25});
}

TEST_CASE("opencompass: a ranking of labels generated nothing", "[records]") {
  const Reading reading = read_bytes(R"({"0":{"origin_prompt":["p","q"],"label: A":{"prompt":"p","PPL":1.5},"label: B":{"PPL":2},"prediction":"A"}})", "ds.json");
  REQUIRE(reading.samples.size() == 1);
  CHECK_FALSE(reading.samples[0].has_output());
  CHECK(reading.samples[0].text(TextField::kExtra) == R"({"chosen":"A"})");
}

TEST_CASE("opencompass: a member of a wrong kind is a finding, the others go on", "[records]") {
  const Reading reading = read_bytes(R"({"0":{"prediction":"a"},"1":{"prediction":7},"2":[],"3":{"prediction":{"rollout":{"token_logprobs":["x"]}}},"4":{"prediction":"e"}})", "ds.json");
  REQUIRE(reading.samples.size() == 2);
  CHECK(reading.samples[1].text(TextField::kId) == "4");
  REQUIRE(reading.problems.count == 3);
  CHECK(reading.problems.first[0].message == "prediction: is a number, must be text");
  CHECK(reading.problems.first[1].message == "entry: is an array, must be an object");
  CHECK(reading.problems.first[2].message == "rollout.token_logprobs[0]: is no number");
  const std::string bytes = file_bytes(golden_sample("opencompass_predictions_gsm8k.json"));
  const Reading cut = read_bytes(bytes.substr(0, bytes.size() - 500), "ds.json");
  CHECK(cut.samples.size() >= 8);
  CHECK(cut.problems.count >= 1);
}
