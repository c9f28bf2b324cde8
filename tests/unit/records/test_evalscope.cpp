// evalscope's predictions (docs/formats.md).
#include "base/failure.h"
#include "catch.h"
#include "read_samples.h"

using namespace vaa;
using namespace vaa_test;

TEST_CASE("evalscope: reasoning apart, usage, time, logprobs of a genuine shape", "[records]") {
  const Reading reading = read_input(golden_sample("evalscope_predictions_gsm8k_main.jsonl"));
  REQUIRE(reading.samples.size() == 10);
  const Sample& sample = reading.samples[0];
  CHECK(sample.text(TextField::kOutputReasoning) == "Start with 14 + 9 = 23. Five more blue ones give 28.");
  CHECK(sample.text(TextField::kOutputText) == "There are 23 marbles at first, and 28 after Lena adds 5.\n\nThe answer is \\boxed{28}.");
  CHECK(sample.text(TextField::kRequestId) == "098290528e7f0d6898cde5");
  CHECK(sample.text(TextField::kModel) == "toy-8b");
  CHECK(sample.text(TextField::kFinishReason) == "stop");
  CHECK(sample.real_lists.get(RealsField::kOutputLogprobs).at(0) == -0.007133);
  CHECK_FALSE(sample.has(IdsField::kOutputTokenIds));
  CHECK(sample.text(TextField::kPromptMessages).find("\"source\"") == std::string::npos);
  CHECK(sample.text(TextField::kPromptMessages).find("A jar holds 14 red") != std::string::npos);
  const Sample& loop = reading.samples[1];
  CHECK(loop.text(TextField::kFinishReason) == "length");
  CHECK(loop.integer(IntField::kPromptTokens, 0) == 44);
  CHECK(loop.integer(IntField::kCompletionTokens, 0) == 123);
  CHECK(loop.real(RealField::kE2eS, 0) == Approx(3.352));
  CHECK_FALSE(loop.has(IntField::kReasoningTokens));
  const Sample& failed = reading.samples[7];
  CHECK(failed.text(TextField::kErrorMessage) == "connection reset by peer");
  CHECK(failed.text(TextField::kFinishReason) == "unknown");
  CHECK(failed.text(TextField::kOutputReasoning) == "72 buns minus 17 is");
}

TEST_CASE("evalscope: nothing had arrived, tags in the text, tool calls, perf_metrics", "[records]") {
  const Reading reading = read_bytes(
      R"({"index":"q1","model_output":{"choices":[],"error":"timeout"}})"
      "\n"
      R"({"index":2,"model_output":{"choices":[{"message":{"content":""}}],"error":"timeout"}})"
      "\n"
      R"({"index":3,"model_output":{"choices":[{"message":{"content":"<think>r</think>x"},"stop_reason":"model_length"}],"perf_metrics":{"latency":2.0,"ttft":0.25},"usage":{"input_tokens":5,"output_tokens":6,"input_tokens_cache_read":4,"reasoning_tokens":3}}})"
      "\n"
      R"({"index":4,"model_output":{"choices":[{"message":{"content":null,"tool_calls":[{"id":"t"}]},"stop_reason":"tool_calls"}]}})"
      "\n"
      R"({"index":5,"model_output":null})"
      "\n"
      R"({"index":6,"model_output":{"choices":[{"message":{"content":7}}]}})"
      "\n"
      R"({"index":7.5,"model_output":{}})"
      "\n"
      R"({"index":8})"
      "\n");
  REQUIRE(reading.samples.size() == 5);
  CHECK(reading.samples[0].failed());
  CHECK(reading.samples[0].text(TextField::kId) == "q1");
  CHECK_FALSE(reading.samples[0].has_output());
  CHECK_FALSE(reading.samples[1].has_output());
  const Sample& third = reading.samples[2];
  CHECK(third.text(TextField::kOutputReasoning) == "r");
  CHECK(third.text(TextField::kFinishReason) == "length");
  CHECK(third.real(RealField::kTtftS, 0) == 0.25);
  CHECK(third.integer(IntField::kCachedTokens, 0) == 4);
  CHECK(third.integer(IntField::kReasoningTokens, 0) == 3);
  CHECK_FALSE(reading.samples[3].has(TextField::kOutputText));
  CHECK(reading.samples[3].text(TextField::kToolCalls) == R"([{"id":"t"}])");
  CHECK_FALSE(reading.samples[4].has_output());
  REQUIRE(reading.problems.count == 3);
  CHECK(reading.problems.first[0].message == "message.content: is a number, must be text");
  CHECK(reading.problems.first[2].message == "model_output: is missing");
}

TEST_CASE("evalscope: reviews by themselves are named and refused", "[records]") {
  try {
    (void)read_input(golden_sample("evalscope_reviews_gsm8k_main.jsonl"));
    FAIL("not refused");
  } catch (const Failure& failure) {
    CHECK(failure.status() == VAA_ERROR_UNSUPPORTED);
    CHECK(failure.message().find("holds the scores of an evalscope run and no whole answers: give the run folder") != std::string::npos);
  }
}
