// A sample as what to ask again.
#include <string>

#include "catch.h"
#include "records/sample.h"

using namespace vaa;

namespace {

std::string line_of(const Sample& sample) {
  std::string line;
  CHECK(append_request_line(&line, sample));
  return line;
}

}  // namespace

TEST_CASE("request line: messages before a text before ids, as an OpenAI batch line", "[records]") {
  Sample sample;
  std::string line;
  CHECK_FALSE(append_request_line(&line, sample));
  CHECK(line.empty());
  sample.set(TextField::kId, "17");
  sample.set(TextField::kDataset, "aime");
  sample.set(IntField::kRepeat, 1);
  sample.ids.put(IdsField::kPromptTokenIds) = {1, 2, 3};
  CHECK(line_of(sample) == R"({"custom_id": "aime/17/1", "method": "POST", "url": "/v1/completions", "body": {"prompt": [1, 2, 3]}})");
  sample.set(TextField::kPromptText, "What is 6 * 7?");
  CHECK(line_of(sample) == R"({"custom_id": "aime/17/1", "method": "POST", "url": "/v1/completions", "body": {"prompt": "What is 6 * 7?"}})");
  sample.set(TextField::kPromptMessages, R"([{"role":"user","content":"What?"}])");
  CHECK(line_of(sample) == R"({"custom_id": "aime/17/1", "method": "POST", "url": "/v1/chat/completions", "body": {"messages": [{"role":"user","content":"What?"}]}})");
  sample.set(TextField::kPromptMessages, "no JSON");
  CHECK(line_of(sample).find("/v1/completions") != std::string::npos);
}

TEST_CASE("request line: model and sampling parameters as they were recorded, seeds of 64 bits exact", "[records]") {
  Sample sample;
  sample.set(TextField::kPromptText, "x");
  sample.set(TextField::kModel, "toy");
  sample.set(TextField::kSeed, "18446744073709551615");
  sample.set(RealField::kTemperature, 0.6);
  sample.set(IntField::kMaxTokens, 512);
  sample.set(IntField::kIgnoreEos, 1);
  CHECK(line_of(sample) == R"({"custom_id": "/0", "method": "POST", "url": "/v1/completions", "body": {"model": "toy", "prompt": "x", "temperature": 0.6, "max_tokens": 512, "ignore_eos": true, "seed": 18446744073709551615}})");
}
