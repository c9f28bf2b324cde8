// Every golden sample of the formats of servers, of evalscope and of OpenCompass against expected.json, plain and compressed.
#include "catch.h"
#include "read_samples.h"

using namespace vaa;
using namespace vaa_test;

namespace {
constexpr const char* kFiles[] = {
    "aisbench_predictions_legacy.json", "evalscope_predictions_gsm8k_main.jsonl", "llamacpp_completion.jsonl", "mindie_infer.jsonl",
    "openai_chat_response_vllm.jsonl",  "openai_chat_stream_crlf.sse",            "openai_chat_stream_vllm.sse", "openai_completion_response_vllm.jsonl",
    "openai_completion_stream_vllm.sse", "openai_error_bodies.jsonl",             "openai_request_response_pairs.jsonl", "openai_stream_errors.sse",
    "opencompass_predictions_gsm8k.json", "sglang_chat_response.jsonl",           "sglang_generate.jsonl",
};
}

TEST_CASE("golden samples of servers and frameworks: format, count and names are those of expected.json", "[records]") {
  for (const char* name : kFiles) check_expected(name);
}

TEST_CASE("golden samples of servers and frameworks: gzip and zstd change nothing", "[records]") {
  for (const char* name : kFiles) {
    const std::string bytes = file_bytes(golden_sample(name));
    const TempFile gz(std::string(name) + ".gz", gzip(bytes));
    check_expected(name, gz.path());
    const TempFile zst(std::string(name) + ".zst", zstd(bytes));
    check_expected(name, zst.path());
  }
}

TEST_CASE("golden samples of servers and frameworks: each is the same after a way through a record", "[records]") {
  for (const char* name : kFiles) {
    INFO(name);
    for (const Sample& sample : read_input(golden_sample(name)).samples) {
      std::string line, again;
      append_record(&line, sample);
      Sample copy;
      parse_record(line, &copy);
      append_record(&again, copy);
      CHECK(line == again);
      CHECK(copy.text(TextField::kOutputText) == sample.text(TextField::kOutputText));
      CHECK(copy.has(TextField::kOutputText) == sample.has(TextField::kOutputText));
      CHECK(copy.has(TextField::kOutputReasoning) == sample.has(TextField::kOutputReasoning));
      CHECK(copy.text(TextField::kStreamEnd) == sample.text(TextField::kStreamEnd));
      CHECK(copy.has(IdsField::kOutputTopIds) == sample.has(IdsField::kOutputTopIds));
      CHECK(copy.failed() == sample.failed());
    }
  }
}
