// Chat and completion responses in their dialects, and error bodies (docs/formats.md, 4.3, 4.6).
#include <cJSON.h>

#include <memory>

#include "catch.h"
#include "read_samples.h"

using namespace vaa;
using namespace vaa_test;

namespace {

Sample one(const std::string& body) {
  const Reading reading = read_bytes(body);
  INFO(body);
  for (const Problem& problem : reading.problems.first) INFO(problem.message);
  REQUIRE(reading.problems.count == 0);
  REQUIRE(reading.samples.size() == 1);
  return reading.samples[0];
}

std::string bad(const std::string& body) {
  const Reading reading = read_bytes(body);
  CHECK(reading.samples.empty());
  REQUIRE(reading.problems.count == 1);
  return reading.problems.first[0].message;
}

std::string message(const std::string& members) { return R"({"id":"a","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant")" + members + "}}]}"; }

// The text of ids in the toy vocabulary, without the special ones.
std::string joined(const std::vector<int32_t>& ids) {
  static const std::unique_ptr<cJSON, void (*)(cJSON*)> vocab(cJSON_Parse(file_bytes(golden_sample("toy_vocab.json")).c_str()), cJSON_Delete);
  const cJSON* pieces = cJSON_GetObjectItem(vocab.get(), "pieces");
  std::string text;
  for (const int32_t id : ids)
    if (const cJSON* piece = cJSON_GetObjectItem(pieces, std::to_string(id).c_str())) text += piece->valuestring;
  return text;
}

// What was split, put together again.
std::string raw_text(const Sample& sample) {
  std::string open, close;
  if (sample.has(TextField::kExtra)) {
    const std::unique_ptr<cJSON, void (*)(cJSON*)> extra(cJSON_Parse(std::string(sample.text(TextField::kExtra)).c_str()), cJSON_Delete);
    const cJSON* tags = cJSON_GetObjectItem(extra.get(), "reasoning_tags");
    if (tags) {
      open = cJSON_GetArrayItem(tags, 0)->valuestring;
      close = cJSON_GetArrayItem(tags, 1)->valuestring;
    }
  }
  return open + std::string(sample.text(TextField::kOutputReasoning)) + close + std::string(sample.text(TextField::kOutputText));
}

}  // namespace

TEST_CASE("servers: ids spell the raw text, the end token in them and not in the text", "[records]") {
  for (const char* name : {"openai_completion_response_vllm.jsonl", "openai_completion_stream_vllm.sse", "sglang_generate.jsonl", "llamacpp_completion.jsonl", "openai_request_response_pairs.jsonl"}) {
    const Reading reading = read_input(golden_sample(name));
    const bool llama = reading.format == "llamacpp_completion";
    for (const Sample& sample : reading.samples) {
      INFO(name << " " << sample.text(TextField::kId));
      REQUIRE(sample.has(IdsField::kOutputTokenIds));
      const auto& ids = sample.ids.get(IdsField::kOutputTokenIds);
      CHECK(joined(ids) == raw_text(sample));
      CHECK(sample.text(TextField::kIdsProvenance) == "engine");
      CHECK(sample.integer(IntField::kIdsIncludeStop, -1) == (llama ? 0 : 1));
      const bool stopped = sample.text(TextField::kFinishReason) == "stop";
      CHECK((!ids.empty() && ids.back() == 2) == (stopped && !llama));
      CHECK(sample.integer(IntField::kCompletionTokens, -1) == static_cast<int64_t>(ids.size()) + (stopped && llama ? 1 : 0));
    }
  }
}

TEST_CASE("openai: a chat response of vLLM", "[records]") {
  const Reading reading = read_input(golden_sample("openai_chat_response_vllm.jsonl"));
  REQUIRE(reading.samples.size() == 10);
  const Sample& loop = reading.samples[1];
  CHECK(loop.has(TextField::kOutputText));
  CHECK(loop.text(TextField::kOutputText).empty());
  CHECK(loop.text(TextField::kOutputReasoning).substr(0, 33) == "Twelve stops, three minutes each.");
  CHECK(loop.text(TextField::kFinishReason) == "length");
  CHECK(loop.integer(IntField::kPromptTokens, 0) == 44);
  CHECK(loop.integer(IntField::kCompletionTokens, 0) == 123);
  CHECK_FALSE(loop.has(IntField::kCachedTokens));
  CHECK(loop.text(TextField::kModel) == "toy-8b");
  CHECK(loop.text(TextField::kRequestId) == loop.text(TextField::kId));
  CHECK(loop.real(RealField::kTtftS, 0) == Approx(0.0714));
  // 42 steps, of which one accepted 0 and 41 accepted 2: 41 at either position.
  CHECK(loop.integer(IntField::kSpecSteps, 0) == 42);
  CHECK(loop.integer(IntField::kSpecDraftTokens, 0) == 84);
  CHECK(loop.integer(IntField::kSpecAcceptedTokens, 0) == 82);
  CHECK(loop.int_lists.get(IntsField::kSpecAcceptedPerPosition) == std::vector<int64_t>{41, 41});
  CHECK(loop.ids.get(IdsField::kPromptTokenIds).size() == 44);
  CHECK(loop.ids.get(IdsField::kOutputTokenIds).size() == 123);
  const Sample& tagged = reading.samples[0];
  CHECK(tagged.text(TextField::kOutputReasoning) == "\nStart with 14 + 9 = 23. Five more blue ones give 28.\n");
  CHECK(tagged.text(TextField::kExtra) == R"({"reasoning_tags":["<think>","</think>"]})");
  const Sample& plain = reading.samples[6];
  CHECK_FALSE(plain.has(TextField::kOutputReasoning));
  CHECK_FALSE(plain.has(TextField::kStopReason));
  CHECK_FALSE(plain.has(IdsField::kOutputTopIds));
  CHECK(plain.real_lists.get(RealsField::kOutputLogprobs).size() == 30);
  CHECK_FALSE(reading.samples[9].has(IdsField::kOutputTokenIds));
  CHECK_FALSE(reading.samples[9].has(IdsField::kPromptTokenIds));
}

TEST_CASE("openai: a chat response of SGLang", "[records]") {
  const Reading reading = read_input(golden_sample("sglang_chat_response.jsonl"));
  REQUIRE(reading.samples.size() == 6);
  CHECK(reading.samples[0].text(TextField::kOutputReasoning) == "Start with 14 + 9 = 23. Five more blue ones give 28.");
  CHECK(reading.samples[0].text(TextField::kStopReason) == "2");
  CHECK(reading.samples[0].integer(IntField::kReasoningTokens, 0) == 20);
  CHECK_FALSE(reading.samples[1].has(TextField::kStopReason));
  const Sample& empty = reading.samples[2];
  CHECK(empty.has(TextField::kOutputText));
  CHECK(empty.text(TextField::kOutputText).empty());
  CHECK_FALSE(empty.has(TextField::kOutputReasoning));
}

TEST_CASE("openai: what is recorded, what is empty, what is neither", "[records]") {
  CHECK(one(message(R"(,"content":null)")).has(TextField::kOutputText));
  CHECK(one(message("")).has(TextField::kOutputText));
  const Sample tools = one(message(R"(,"content":null,"tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":"{}"}}])"));
  CHECK_FALSE(tools.has(TextField::kOutputText));
  CHECK(tools.text(TextField::kToolCalls) == R"([{"id":"t","type":"function","function":{"name":"f","arguments":"{}"}}])");
  CHECK(one(message(R"(,"content":null,"tool_calls":[])")).has(TextField::kOutputText));
  CHECK(one(message(R"(,"content":null,"function_call":{"name":"f","arguments":"{}"})")).text(TextField::kToolCalls) == R"([{"type":"function","function":{"name":"f","arguments":"{}"}}])");
  CHECK_FALSE(one(R"({"id":"a","object":"chat.completion","choices":[{"index":0}]})").has_output());
  CHECK_FALSE(one(R"({"id":"a","object":"chat.completion","choices":[]})").has_output());
  CHECK_FALSE(one(R"({"id":"a","object":"text_completion","choices":[{"text":null}]})").has_output());
  CHECK(one(R"({"id":"a","object":"text_completion","choices":[{"text":""}]})").has(TextField::kOutputText));
  CHECK(one(message(R"(,"content":"x","reasoning":null,"reasoning_content":"why")")).text(TextField::kOutputReasoning) == "why");
  CHECK(one(message(R"(,"content":"x","reasoning_content":"why","reasoning":null)")).text(TextField::kOutputReasoning) == "why");
  const Sample parts = one(message(R"(,"content":[{"type":"thinking","thinking":"why"},{"type":"text","text":"a"},{"type":"text","text":"b"}])"));
  CHECK(parts.text(TextField::kOutputText) == "ab");
  CHECK(parts.text(TextField::kOutputReasoning) == "why");
}

TEST_CASE("openai: a lone closing tag and an unclosed one stay in the text", "[records]") {
  const Sample lone = one(message(R"(,"content":"why</think>so")"));
  CHECK(lone.text(TextField::kOutputText) == "why</think>so");
  CHECK_FALSE(lone.has(TextField::kOutputReasoning));
  const Sample open = one(message(R"(,"content":"<think>why")"));
  CHECK(open.text(TextField::kOutputText) == "<think>why");
  CHECK_FALSE(open.has(TextField::kOutputReasoning));
  const Sample apart = one(message(R"(,"content":"<think>a</think>b","reasoning":"c")"));
  CHECK(apart.text(TextField::kOutputText) == "<think>a</think>b");
}

TEST_CASE("openai: finish reasons in their normal form", "[records]") {
  const auto finish = [](const std::string& json) { return one(R"({"id":"a","object":"text_completion","choices":[{"text":"x","finish_reason":)" + json + "}]}"); };
  const std::pair<const char*, const char*> words[] = {{"stop", "stop"}, {"length", "length"}, {"tool_calls", "tool_calls"}, {"function_call", "tool_calls"}, {"content_filter", "content_filter"},
                                                       {"abort", "abort"}, {"error", "error"}, {"repetition", "repetition"}, {"something", "unknown"}};
  for (const auto& [word, normal] : words) CHECK(finish('"' + std::string(word) + '"').text(TextField::kFinishReason) == normal);
  CHECK_FALSE(finish("null").has(TextField::kFinishReason));
  CHECK_FALSE(finish("\"\"").has(TextField::kFinishReason));
  const Sample object = finish(R"({"type":"abort","message":"out of memory","status_code":503,"err_type":"InternalError"})");
  CHECK(object.text(TextField::kFinishReason) == "abort");
  CHECK(object.text(TextField::kErrorMessage) == "out of memory");
  CHECK(object.text(TextField::kErrorType) == "InternalError");
  CHECK(object.integer(IntField::kErrorStatus, 0) == 503);
}

TEST_CASE("openai: stop reasons are text or the digits of an id", "[records]") {
  const auto stop = [](const std::string& members) { return one(R"({"id":"a","object":"text_completion","choices":[{"text":"x",)" + members + "}]}"); };
  CHECK(stop(R"("stop_reason":"\n\n")").text(TextField::kStopReason) == "\n\n");
  CHECK(stop(R"("stop_reason":151645)").text(TextField::kStopReason) == "151645");
  CHECK(stop(R"("stop_reason":null,"matched_stop":7)").text(TextField::kStopReason) == "7");
  CHECK(stop(R"("matched_stop":7,"stop_reason":null)").text(TextField::kStopReason) == "7");
}

TEST_CASE("openai: several choices are several samples, and usage is none's own", "[records]") {
  const Reading reading = read_bytes(R"({"id":"a","object":"text_completion","choices":[{"index":1,"text":"b"},{"index":0,"text":"a"}],"usage":{"prompt_tokens":3,"completion_tokens":9,)"
                                     R"("prompt_tokens_details":{"cached_tokens":2},"completion_tokens_details":{"reasoning_tokens":1}}})");
  REQUIRE(reading.samples.size() == 2);
  CHECK(reading.samples[0].integer(IntField::kRepeat, -1) == 1);
  CHECK(reading.samples[0].text(TextField::kOutputText) == "b");
  CHECK(reading.samples[1].integer(IntField::kRepeat, -1) == 0);
  for (const Sample& sample : reading.samples) {
    CHECK(sample.text(TextField::kId) == "a");
    CHECK(sample.integer(IntField::kPromptTokens, -1) == 3);
    CHECK(sample.integer(IntField::kCachedTokens, -1) == 2);
    CHECK_FALSE(sample.has(IntField::kCompletionTokens));
    CHECK_FALSE(sample.has(IntField::kReasoningTokens));
  }
}

TEST_CASE("openai: timings of llama.cpp and ids of its logprob entries", "[records]") {
  const Sample sample = one(R"({"object":"chat.completion","choices":[{"index":0,"finish_reason":"stop","message":{"content":"x"},"logprobs":{"content":[{"id":7,"token":"x","logprob":-0.5,"top_logprobs":[)"
                            R"({"id":9,"token":"y","logprob":-0.25},{"id":7,"token":"x","logprob":-0.5}]},{"id":2,"token":"","logprob":-0.1,"top_logprobs":[]}]}}],)"
                            R"("timings":{"cache_n":5,"prompt_n":10,"prompt_ms":40,"predicted_n":2,"predicted_ms":60}})");
  CHECK(sample.text(TextField::kId) == "1");
  CHECK(sample.ids.get(IdsField::kOutputTokenIds) == std::vector<int32_t>{7, 2});
  CHECK(sample.integer(IntField::kIdsIncludeStop, -1) == 1);
  CHECK(sample.ids.get(IdsField::kOutputTopIds) == std::vector<int32_t>{7, 9});
  CHECK(sample.integer(IntField::kCachedTokens, 0) == 5);
  CHECK(sample.real(RealField::kTtftS, 0) == Approx(0.04));
  CHECK(sample.real(RealField::kE2eS, 0) == Approx(0.1));
}

TEST_CASE("openai: one document over several lines, and documents in one list", "[records]") {
  const Reading pretty = read_bytes("{\n  \"id\": \"a\",\n  \"object\": \"chat.completion\",\n  \"choices\": [{\"index\": 0, \"message\": {\"content\": \"x\", \"tool_calls\": [\n{\"id\": \"t\"}\n]}}]\n}\n", "r.json");
  REQUIRE(pretty.samples.size() == 1);
  CHECK(pretty.samples[0].text(TextField::kOutputText) == "x");
  CHECK(pretty.samples[0].text(TextField::kToolCalls) == R"([{"id": "t"}])");
  const Reading list = read_bytes("[" + message(R"(,"content":"x")") + "," + message(R"(,"content":"y")") + "]", "r.json");
  REQUIRE(list.samples.size() == 2);
  CHECK(list.samples[1].text(TextField::kOutputText) == "y");
}

TEST_CASE("openai: an error body in a line is a failed request", "[records]") {
  const Reading reading = read_bytes(message(R"(,"content":"x")") + "\n" + R"({"error":{"message":"m","type":"t","code":500}})" + "\n");
  REQUIRE(reading.samples.size() == 2);
  const Sample& failed = reading.samples[1];
  CHECK(failed.failed());
  CHECK_FALSE(failed.has_output());
  CHECK(failed.text(TextField::kId) == "2");
  CHECK(failed.integer(IntField::kErrorStatus, 0) == 500);
}

TEST_CASE("openai: wrong kinds are a bad line that names the key, the others go on", "[records]") {
  CHECK(bad(message(R"(,"content":7)")) == "message.content: is a number, must be text");
  CHECK(bad(R"({"id":"a","object":"chat.completion","choices":{}})") == "choices: is an object, must be an array");
  CHECK(bad(R"({"id":"a","object":"chat.completion","choices":[7]})") == "choices[]: is a number, must be an object");
  CHECK(bad(R"({"id":"a","object":"chat.completion","choices":[{"message":[]}]})") == "message: is an array, must be an object");
  CHECK(bad(R"({"id":"a","object":"chat.completion","choices":[{"index":-1}]})") == "choices[].index: is no integer of at least 0");
  CHECK(bad(R"({"id":"a","object":"chat.completion","choices":[{"token_ids":[1,2.5]}]})") == "token_ids[1]: is no token id");
  CHECK(bad(R"({"id":"a","object":"chat.completion","choices":[{"token_ids":[2147483648]}]})") == "token_ids[0]: is no token id");
  CHECK(bad(R"({"id":"a","object":"chat.completion","choices":[{"token_ids":"x"}]})") == "token_ids: is text, must be a list of token ids");
  CHECK(bad(R"({"id":"a","object":"chat.completion","choices":[],"usage":{"prompt_tokens":"3"}})") == "usage.prompt_tokens: is text, must be an integer");
  CHECK(bad(R"({"id":"a","object":"chat.completion","choices":[{"finish_reason":7}]})") == "finish_reason: is a number, must be text or an object");
  CHECK(bad(R"({"id":"a","object":"chat.completion","choices":[{"logprobs":{"content":[{"logprob":"x"}]}}]})") == "logprob: is text, must be a number");
  const Reading mixed = read_bytes(message(R"(,"content":"x")") + "\n{\"id\":\"a\"}\n" + message(R"(,"content":"y")") + "\n{\"object\":\"chat.completion\",\n");
  CHECK(mixed.samples.size() == 2);
  REQUIRE(mixed.problems.count == 2);
  CHECK(mixed.problems.first[0].line == 2);
  CHECK(mixed.problems.first[0].message == "choices: is missing, and there is no error");
  CHECK(mixed.problems.first[1].line == 4);
}

TEST_CASE("openai: every way of cutting a line short is a bad line and no crash", "[records]") {
  const std::string bytes = file_bytes(golden_sample("openai_completion_response_vllm.jsonl"));
  const std::string line = bytes.substr(0, bytes.find('\n'));
  std::string all = line + "\n";
  size_t cuts = 0;
  for (size_t n = 1; n < line.size(); n += 97, ++cuts) all += line.substr(0, n) + "\n";
  const Reading reading = read_bytes(all);
  CHECK(reading.samples.size() == 1);
  CHECK(reading.problems.count == static_cast<int64_t>(cuts));
}

TEST_CASE("openai: more choices than any server gives, and values nested deep, are refused", "[records]") {
  std::string many = R"({"id":"a","object":"chat.completion","choices":[{})";
  for (int i = 0; i < 20000; ++i) many += ",{}";
  CHECK(bad(many + "]}") == "choices: has more than 16384 elements");
  const std::string deep(100000, '[');
  CHECK(read_bytes(message(R"(,"content":"x","more":)" + deep) + "\n" + message(R"(,"content":"x")")).problems.count == 1);
}
