// Requests with their responses, and error bodies of five shapes (docs/formats.md).
#include "catch.h"
#include "read_samples.h"

using namespace vaa;
using namespace vaa_test;

namespace {
Sample one(const std::string& line) {
  const Reading reading = read_bytes(line);
  INFO(line);
  for (const Problem& problem : reading.problems.first) INFO(problem.message);
  REQUIRE(reading.samples.size() == 1);
  CHECK(reading.format == "openai_pairs");
  return reading.samples[0];
}
}  // namespace

TEST_CASE("pairs: error bodies of five shapes give message, type and status", "[records]") {
  struct Expected {
    const char* message;
    const char* type;
    int64_t status;
  };
  const Expected expected[] = {
      {"max_tokens must be at least 1, got 0.", "BadRequestError", 400},
      {"The model `toy-9b` does not exist.", "NotFoundError", 404},
      {"top_p must be in (0, 1], got 0.0.", "BadRequestError", 400},
      {"Unauthorized", "", 401},
      {"EngineCore encountered an issue.", "InternalServerError", 500},
      {"The input is longer than the context length.", "BadRequestError", 400},
      {"body.messages: Field required", "missing", 422},
      {"Loading model", "unavailable_error", 503},
      {"the request exceeds the available context size", "exceed_context_size_error", 400},
      {"<html><head><title>502 Bad Gateway</title></head></html>", "", 502},
  };
  const Reading reading = read_input(golden_sample("openai_error_bodies.jsonl"));
  REQUIRE(reading.samples.size() == std::size(expected));
  for (size_t i = 0; i < std::size(expected); ++i) {
    INFO("line " << i + 1);
    const Sample& sample = reading.samples[i];
    CHECK(sample.text(TextField::kErrorMessage) == expected[i].message);
    CHECK(sample.text(TextField::kErrorType) == expected[i].type);
    CHECK(sample.integer(IntField::kErrorStatus, 0) == expected[i].status);
    CHECK_FALSE(sample.has_output());
  }
}

TEST_CASE("pairs: request, response and time are joined", "[records]") {
  const Reading reading = read_input(golden_sample("openai_request_response_pairs.jsonl"));
  REQUIRE(reading.samples.size() == 7);
  const Sample& sample = reading.samples[1];
  CHECK(sample.real(RealField::kTemperature, 0) == Approx(0.6));
  CHECK(sample.real(RealField::kTopP, 0) == Approx(0.95));
  CHECK(sample.integer(IntField::kTopK, 0) == 20);
  CHECK(sample.text(TextField::kSeed) == "1025");
  CHECK(sample.integer(IntField::kMaxTokens, 0) == 123);
  CHECK(sample.real(RealField::kE2eS, 0) == Approx(3.032));
  CHECK(sample.text(TextField::kPromptMessages).find("A tram makes 12 stops and waits 3 minutes") != std::string::npos);
  CHECK_FALSE(sample.has(IntField::kErrorStatus));
  CHECK_FALSE(sample.failed());
  CHECK(reading.samples[0].text(TextField::kOutputReasoning) == "\nStart with 14 + 9 = 23. Five more blue ones give 28.\n");
}

TEST_CASE("pairs: prompts as text, as ids, as a list", "[records]") {
  const std::string response = R"(,"response":{"object":"text_completion","choices":[{"text":"x"}]}})";
  CHECK(one(R"({"request":{"prompt":"p"})" + response).text(TextField::kPromptText) == "p");
  CHECK(one(R"({"request":{"prompt":["p"]})" + response).text(TextField::kPromptText) == "p");
  CHECK(one(R"({"request":{"prompt":[1,2]})" + response).ids.get(IdsField::kPromptTokenIds) == std::vector<int32_t>{1, 2});
  const Sample several = one(R"({"request":{"prompt":["p","q"]})" + response);
  CHECK_FALSE(several.has(TextField::kPromptText));
  CHECK_FALSE(several.has(IdsField::kPromptTokenIds));
  CHECK(one(R"({"request":{"prompt":"p","seed":18446744073709551615,"max_tokens":-1})" + response).text(TextField::kSeed) == "18446744073709551615");
  CHECK_FALSE(one(R"({"request":{"prompt":"p","max_tokens":-1})" + response).has(IntField::kMaxTokens));
}

TEST_CASE("pairs: the response of any server that is read", "[records]") {
  const Sample sglang = one(R"({"request":{"text":"p","sampling_params":{"temperature":0.5,"max_new_tokens":9}},"response":{"text":"x","meta_info":{"id":"s","finish_reason":{"type":"stop","matched":2}}},"status":200})");
  CHECK(sglang.text(TextField::kId) == "s");
  CHECK(sglang.text(TextField::kPromptText) == "p");
  CHECK(sglang.integer(IntField::kMaxTokens, 0) == 9);
  CHECK(sglang.text(TextField::kSourceFormat) == "openai_pairs");
  const Sample mindie = one(R"({"request":{"inputs":"p","parameters":{"temperature":0.5,"max_new_tokens":7}},"response":{"generated_text":"x","details":{"finish_reason":"length","generated_tokens":7,"seed":3}}})");
  CHECK(mindie.text(TextField::kFinishReason) == "length");
  CHECK(mindie.integer(IntField::kMaxTokens, 0) == 7);
  CHECK(mindie.text(TextField::kSeed) == "3");
  const Sample llama = one(R"({"request":{"prompt":"p","n_predict":5},"response":{"content":"x","stop_type":"limit"},"status":200})");
  CHECK(llama.text(TextField::kFinishReason) == "length");
  CHECK(llama.integer(IntField::kMaxTokens, 0) == 5);
}

TEST_CASE("pairs: no response, an odd body and a bad status are failed requests", "[records]") {
  CHECK(one(R"({"request":{},"response":null})").text(TextField::kErrorMessage) == "no response");
  CHECK(one(R"({"request":{},"response":null,"error":"timed out"})").text(TextField::kErrorMessage) == "timed out");
  CHECK(one(R"({"status":500,"response":{"a":1}})").text(TextField::kErrorMessage) == R"({"a":1})");
  CHECK(one(R"({"status":500,"response":{"object":"chat.completion","choices":[{"message":{"content":"x"}}]}})").text(TextField::kErrorMessage) == "status 500");
  CHECK(one(R"({"status":429,"response":{"detail":"slow down"}})").text(TextField::kErrorMessage) == "slow down");
  const std::string page(100000, 'x');
  CHECK(one(R"({"status":502,"response":")" + page + "\"}").text(TextField::kErrorMessage).size() == 1000);
  const Reading odd = read_bytes("{\"status\":200,\"response\":{\"a\":1}}\n{\"status\":\"x\",\"response\":null}\n{\"request\":7,\"response\":null}\n");
  CHECK(odd.samples.empty());
  REQUIRE(odd.problems.count == 3);
  CHECK(odd.problems.first[0].message == "choices: is missing, and there is no error");
  CHECK(odd.problems.first[1].message == "status: is text, must be an integer");
  CHECK(odd.problems.first[2].message == "request: is a number, must be an object");
}
