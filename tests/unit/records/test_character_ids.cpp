// Token ids of llama.cpp's answers, which come character by character: only lists that hold every token are kept (tests/golden/engines/README.md).
#include "catch.h"
#include "replied.h"

using namespace vaa;
using namespace vaa_test;

namespace {

std::string entry(int id, const std::string& text) {
  const std::string logprob = R"(,"logprob":-0.5)", named = R"({"id":)" + std::to_string(id) + R"(,"token":")" + text + "\"" + logprob;
  return named + R"(,"top_logprobs":[)" + named + "}]}";
}

// An answer of `tokens` tokens whose logprobs have these entries.
std::string answer(const std::string& text, const std::string& finish, int tokens, const std::string& entries, const std::string& more = "") {
  return R"({"object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":")" + finish + R"(","message":{"role":"assistant","content":")" + text +
         R"("},"logprobs":{"content":[)" + entries + R"(]}}],"usage":{"prompt_tokens":3,"completion_tokens":)" + std::to_string(tokens) + "}" + more + "}";
}

std::string stream_of(const std::string& text, const std::string& finish, int tokens, const std::string& entries) {
  return "data: " + chunk(delta(text, R"(,"logprobs":{"content":[)" + entries + "]}")) + "\n\ndata: " + chunk(R"({"index":0,"delta":{},"finish_reason":")" + finish + "\"}") +
         "\n\ndata: " + R"({"id":"a","object":"chat.completion.chunk","model":"m","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":)" + std::to_string(tokens) + "}}\n\ndata: [DONE]\n\n";
}

Sample streamed(const std::string& body) { return one(Response{body, 200, "text/event-stream", "", ""}); }

using Ids = std::vector<int32_t>;
Ids ids(const Sample& sample) { return sample.has(IdsField::kOutputTokenIds) ? sample.ids.get(IdsField::kOutputTokenIds) : Ids(); }

const std::string kTwo = entry(7, "a") + "," + entry(8, "b"), kWide = entry(7, "a") + "," + entry(8, "é");

}  // namespace

TEST_CASE("character ids: an entry for each token is all of them", "[records]") {
  CHECK(ids(one(answer("ab", "length", 2, kTwo))) == Ids{7, 8});
  CHECK(ids(one(answer("aé", "length", 2, kWide))) == Ids{7, 8});
}

TEST_CASE("character ids: one token without an entry is enough to keep the ids out", "[records]") {
  CHECK(ids(one(answer("aé", "length", 3, kWide))).empty());  // é is two tokens
  CHECK(ids(one(answer("aé", "stop", 3, kWide))).empty());    // or one, and the stop token is left out
  CHECK(ids(one(answer("ab", "length", 3, kTwo))).empty());   // the limit fell into a character
  CHECK(ids(streamed(stream_of("aé", "length", 3, kWide))).empty());
}

TEST_CASE("character ids: a stream leaves the stop token out, and says so", "[records]") {
  const Sample sample = streamed(stream_of("ab", "stop", 3, kTwo));
  CHECK(ids(sample) == Ids{7, 8});
  CHECK(sample.integer(IntField::kIdsIncludeStop, -1) == 0);
}

TEST_CASE("character ids: without a count of tokens a character of several cannot be told from one", "[records]") {
  const std::string body = R"({"object":"chat.completion","choices":[{"index":0,"finish_reason":"stop","message":{"content":"aé"},"logprobs":{"content":[)" + kWide + "]}}]}";
  CHECK(ids(one(body)).empty());
}

TEST_CASE("character ids: the list that is asked for with verbose has all tokens, the stop token too", "[records]") {
  const Sample sample = one(answer("aé", "stop", 4, kWide, R"(,"__verbose":{"tokens":[7,5,8,2],"generation_settings":{"temperature":0.5,"top_k":40,"seed":4294967295}})"));
  CHECK(ids(sample) == Ids{7, 5, 8, 2});
  CHECK(sample.integer(IntField::kIdsIncludeStop, -1) == 1);
  CHECK(sample.real(RealField::kTemperature, -1) == 0.5);
  CHECK_FALSE(sample.has(TextField::kSeed));  // that number stands for a seed that the server draws
}

TEST_CASE("character ids: an empty verbose list was not asked for", "[records]") {
  CHECK(ids(one(answer("ab", "length", 2, kTwo, R"(,"__verbose":{"tokens":[]})"))) == Ids{7, 8});
}

TEST_CASE("character ids: the placeholder of a drafted token is no logprob", "[records]") {
  const std::string drafted = R"({"id":8,"token":"b","logprob":0.0,"top_logprobs":[]})";
  const Sample sample = one(answer("ab", "length", 2, entry(7, "a") + "," + drafted));
  CHECK(ids(sample) == Ids{7, 8});
  CHECK_FALSE(sample.has(RealsField::kOutputLogprobs));
  CHECK_FALSE(sample.has(IdsField::kOutputTopIds));
}
