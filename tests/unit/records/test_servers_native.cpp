// SGLang /generate, llama.cpp /completion, MindIE /infer (docs/formats.md).
#include <cmath>

#include "catch.h"
#include "read_samples.h"

using namespace vaa;
using namespace vaa_test;

TEST_CASE("sglang_generate: finish_reason is an object, an abort with a message a failed request", "[records]") {
  const Reading reading = read_input(golden_sample("sglang_generate.jsonl"));
  REQUIRE(reading.samples.size() == 6);
  CHECK(reading.samples[0].text(TextField::kFinishReason) == "stop");
  CHECK(reading.samples[0].text(TextField::kStopReason) == "2");
  CHECK(reading.samples[0].integer(IntField::kSpecSteps, 0) == 18);
  CHECK(reading.samples[0].integer(IntField::kSpecDraftTokens, 0) == 54);
  CHECK(reading.samples[0].integer(IntField::kSpecAcceptedTokens, 0) == 36);
  CHECK(reading.samples[0].integer(IntField::kCachedTokens, -1) == 0);
  CHECK(reading.samples[0].real(RealField::kE2eS, 0) == Approx(1.15));
  CHECK(reading.samples[0].text(TextField::kOutputReasoning) == "\nStart with 14 + 9 = 23. Five more blue ones give 28.\n");
  CHECK(reading.samples[1].text(TextField::kFinishReason) == "length");
  CHECK_FALSE(reading.samples[1].has(TextField::kStopReason));
  const Sample& aborted = reading.samples[5];
  CHECK(aborted.text(TextField::kFinishReason) == "abort");
  CHECK(aborted.text(TextField::kErrorMessage) == "Abort request");
  CHECK_FALSE(aborted.has(IntField::kErrorStatus));
  CHECK_FALSE(aborted.has(TextField::kErrorType));
  CHECK(aborted.text(TextField::kOutputText) == "<think>\n72 buns minus 17 is");
}

TEST_CASE("sglang_generate: newer names of the counters, prompt logprobs, several answers in one list", "[records]") {
  const Reading reading = read_bytes(R"([{"text":"a","meta_info":{"id":"x","prompt_tokens":2,"spec_num_correct_drafts":4,"spec_num_proposed_drafts":8,"spec_verify_ct":3,"input_token_logprobs":[[null,1,null],[-0.5,11,"b"]],)"
                                     R"("input_top_logprobs":[null,[[-0.25,9,"c"],[-0.5,11,"b"]]]}},{"text":"b","meta_info":{"id":"y","prompt_tokens":9,"input_token_logprobs":[[-0.5,11,"b"]]}}])",
                                     "list.json");
  REQUIRE(reading.samples.size() == 2);
  const Sample& sample = reading.samples[0];
  CHECK(sample.integer(IntField::kSpecSteps, 0) == 3);
  CHECK(sample.integer(IntField::kSpecAcceptedTokens, 0) == 4);
  CHECK(sample.integer(IntField::kSpecDraftTokens, 0) == 8);
  CHECK(sample.ids.get(IdsField::kPromptTokenIds) == std::vector<int32_t>{1, 11});
  CHECK(std::isnan(sample.real_lists.get(RealsField::kPromptLogprobs)[0]));
  CHECK(sample.real_lists.get(RealsField::kPromptLogprobs)[1] == -0.5);
  CHECK(sample.ids.get(IdsField::kPromptTopIds) == std::vector<int32_t>{11, 9});
  CHECK(sample.int_lists.get(IntsField::kPromptTopEnds) == std::vector<int64_t>{0, 2});
  // One logprob for a prompt of nine tokens: its place is not known.
  CHECK_FALSE(reading.samples[1].has(RealsField::kPromptLogprobs));
}

TEST_CASE("sglang_generate: wrong kinds are bad lines", "[records]") {
  const std::string good = "{\"text\":\"a\",\"meta_info\":{}}\n";
  const char* lines[] = {R"({"text":7,"meta_info":{}})", R"({"text":"a","meta_info":[]})", R"({"text":"a"})", R"({"meta_info":{"output_token_logprobs":[[-1,2147483648,null]]}})",
                         R"({"meta_info":{"output_token_logprobs":[[-1]]}})", R"({"meta_info":{"output_token_logprobs":[7]}})", R"({"meta_info":{"finish_reason":[]}})"};
  std::string bytes = good;
  for (const char* line : lines) bytes += std::string(line) + "\n";
  const Reading reading = read_bytes(bytes);
  CHECK(reading.samples.size() == 1);
  REQUIRE(reading.problems.count == static_cast<int64_t>(std::size(lines)));
  CHECK(reading.problems.first[0].message == "text: is a number, must be text");
  CHECK(reading.problems.first[1].message == "meta_info: is an array, must be an object");
  CHECK(reading.problems.first[2].message == "meta_info: is missing, and there is no error");
  CHECK(reading.problems.first[3].message == "output_token_logprobs: holds an id that is no token id");
}

TEST_CASE("llamacpp_completion: effective sampling, stop words, timings", "[records]") {
  const Reading reading = read_input(golden_sample("llamacpp_completion.jsonl"));
  REQUIRE(reading.samples.size() == 6);
  const Sample& sample = reading.samples[0];
  CHECK(sample.text(TextField::kFinishReason) == "stop");
  CHECK_FALSE(sample.has(TextField::kStopReason));
  CHECK(sample.text(TextField::kSeed) == "1024");
  CHECK(sample.real(RealField::kRepetitionPenalty, 0) == 1.0);
  CHECK_FALSE(sample.has(IntField::kMaxTokens));  // n_predict -1
  CHECK(sample.integer(IntField::kIgnoreEos, -1) == 0);
  CHECK(sample.integer(IntField::kPromptTokens, 0) == 47);
  CHECK(sample.real(RealField::kE2eS, 0) == Approx(1.2562));
  CHECK(sample.real_lists.get(RealsField::kOutputLogprobs).size() == 54);  // the stop token's, too
  CHECK(sample.ids.get(IdsField::kOutputTokenIds).size() == 53);
  CHECK(reading.problems.notes.empty());
  CHECK(reading.samples[1].integer(IntField::kMaxTokens, 0) == 123);
  CHECK(reading.samples[1].text(TextField::kFinishReason) == "length");
  CHECK(reading.samples[2].ids.get(IdsField::kOutputTokenIds).empty());
}

TEST_CASE("llamacpp_completion: truncated speaks of the prompt, an empty list of ids was not asked for", "[records]") {
  const Reading reading = read_bytes(R"({"content":"x","tokens":[],"stop_type":"word","stopping_word":"\n","truncated":true,"prompt":[1,2],"completion_probabilities":[{"id":7,"token":"x","prob":0.5,"top_probs":[]}]})"
                                     "\n{\"content\":\"y\",\"stop_type\":\"none\"}\n{\"error\":{\"code\":503,\"message\":\"Loading model\",\"type\":\"unavailable_error\"}}\n");
  REQUIRE(reading.samples.size() == 3);
  CHECK(reading.samples[0].text(TextField::kFinishReason) == "stop");
  CHECK(reading.samples[0].text(TextField::kStopReason) == "\n");
  CHECK(reading.samples[0].text(TextField::kExtra) == R"({"prompt_truncated":true})");
  CHECK_FALSE(reading.samples[0].has(IdsField::kOutputTokenIds));
  CHECK_FALSE(reading.samples[0].has(RealsField::kOutputLogprobs));
  CHECK(reading.samples[0].ids.get(IdsField::kPromptTokenIds) == std::vector<int32_t>{1, 2});
  CHECK(reading.samples[1].text(TextField::kFinishReason) == "unknown");
  CHECK(reading.samples[2].failed());
  CHECK(reading.samples[2].integer(IntField::kErrorStatus, 0) == 503);
}

TEST_CASE("mindie_infer: finish reasons of the TGI style, seed, tokens", "[records]") {
  const Reading reading = read_input(golden_sample("mindie_infer.jsonl"));
  REQUIRE(reading.samples.size() == 6);
  CHECK(reading.samples[0].text(TextField::kFinishReason) == "stop");
  CHECK(reading.samples[0].text(TextField::kSeed) == "1024");
  CHECK(reading.samples[0].integer(IntField::kCompletionTokens, 0) == 54);
  CHECK(reading.samples[0].text(TextField::kOutputReasoning) == "\nStart with 14 + 9 = 23. Five more blue ones give 28.\n");
  CHECK(reading.samples[1].text(TextField::kFinishReason) == "length");
  CHECK_FALSE(reading.samples[1].has(TextField::kSeed));
  CHECK(reading.samples[2].has(TextField::kOutputText));
  CHECK(reading.samples[4].text(TextField::kOutputText).substr(0, 8) == "<think>\n");
  const Reading more = read_bytes("{\"generated_text\":null,\"details\":null}\n{\"generated_text\":[],\"details\":{}}\n{\"details\":{}}\n{\"generated_text\":\"x\",\"details\":{\"finish_reason\":\"stop_sequence\",\"seed\":18446744073709551615}}\n");
  REQUIRE(more.samples.size() == 2);
  CHECK_FALSE(more.samples[0].has_output());
  CHECK(more.samples[1].text(TextField::kFinishReason) == "stop");
  CHECK(more.samples[1].text(TextField::kSeed) == "18446744073709551615");
  REQUIRE(more.problems.count == 2);
  CHECK(more.problems.first[0].message == "generated_text: is an array, must be text");
  CHECK(more.problems.first[1].message == "generated_text: is missing, and there is no error");
}
