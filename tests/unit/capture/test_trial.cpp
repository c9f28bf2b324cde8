// The trial request, and what its answers prove. Answers: tests/golden/samples (made after the documents of the servers), or stated here.
#include <fstream>
#include <sstream>

#include "capture/json_members.h"
#include "capture/trial.h"
#include "refused.h"

using namespace vaa;
using namespace vaa::capture;

namespace {

HttpResponse answer(int status, std::string body, std::string type = "application/json") {
  HttpResponse response;
  response.end.status = status;
  response.body = std::move(body);
  response.content_type = std::move(type);
  return response;
}

HttpResponse refusal(int status, const std::string& message) { return answer(status, "{\"error\": {\"message\": \"" + message + "\", \"type\": \"BadRequestError\"}}"); }

std::string golden(const char* file) {
  std::ifstream in(std::string(VAA_GOLDEN) + "/samples/" + file, std::ios::binary);
  std::stringstream bytes;
  bytes << in.rdbuf();
  REQUIRE(!bytes.str().empty());
  return bytes.str();
}

// The first stream of a file of several.
std::string first_stream(const char* file) {
  const std::string all = golden(file);
  const size_t done = all.find("data: [DONE]");
  REQUIRE(done != all.npos);
  return all.substr(0, done) + "data: [DONE]\n\n";
}

Server server_of(const char* dialect) {
  Server server;
  server.dialect = find_dialect(dialect);
  server.model = "toy";
  return server;
}

}  // namespace

TEST_CASE("trial: it asks for all that records hold, in 2 greedy tokens", "[capture]") {
  const Server server = server_of("vllm");
  Trial trial = first_trial(*server.dialect);
  CHECK(std::string(trial_path(trial)) == "/v1/chat/completions");
  CHECK(trial_body(trial, server) == R"({"model": "toy", "messages": [{"role": "user", "content": "Say hello."}], "max_tokens": 2, "temperature": 0, "stream": true, "stream_options": {"include_usage": true}, )"
                                     R"("return_token_ids": true, "logprobs": true, "top_logprobs": 20, "return_tokens_as_token_ids": true})");
  trial.chat = false;
  trial.asked = {false, false, false, false, 0};
  CHECK(std::string(trial_path(trial)) == "/v1/completions");
  CHECK(trial_body(trial, server) == R"({"model": "toy", "prompt": "Hello", "max_tokens": 2, "temperature": 0, "stream": false})");
  CHECK(ids_trial_body({1, 22}, server) == R"({"model": "toy", "prompt": [1, 22], "max_tokens": 1, "temperature": 0})");
  CHECK_FALSE(first_trial(*find_dialect("mindie")).asked.ids);
  CHECK(first_trial(*find_dialect("mindie")).asked.top_logprobs == 5);
}

TEST_CASE("trial: what a server names in its refusal is left out first", "[capture]") {
  const Dialect& vllm = *find_dialect("vllm");
  Trial trial = first_trial(vllm);
  CHECK(ask_less(&trial, refusal(400, "Requested sample logprobs of 20, which is greater than max allowed: 5"), vllm) == "top_logprobs 20");
  CHECK(trial.asked.top_logprobs == 5);
  CHECK(trial.asked.ids);
  CHECK(ask_less(&trial, refusal(422, "Extra inputs are not permitted: return_token_ids"), vllm) == "return_token_ids");
  CHECK(trial.asked.top_logprobs == 5);
  CHECK(ask_less(&trial, refusal(400, "stream_options is not supported"), vllm) == "stream_options");
  CHECK(trial.asked.stream);
}

TEST_CASE("trial: without a name one thing after another is left out, then the chat, then it ends", "[capture]") {
  const Dialect& vllm = *find_dialect("vllm");
  Trial trial = first_trial(vllm);
  std::vector<std::string> left;
  for (std::string what; !(what = ask_less(&trial, refusal(400, "no"), vllm)).empty();) left.push_back(what);
  CHECK(left == std::vector<std::string>{"top_logprobs 20", "top_logprobs 5", "top_logprobs 1", "return_token_ids", "stream_options", "stream", "/v1/chat/completions", "top_logprobs 20", "top_logprobs 5",
                                         "top_logprobs 1", "return_token_ids", "stream_options", "stream"});
  CHECK_FALSE(trial.chat);
}

TEST_CASE("trial: a model without a chat template is asked for completions with everything", "[capture]") {
  const Dialect& vllm = *find_dialect("vllm");
  for (const HttpResponse& no : {refusal(400, "As of transformers v4.44, default chat template is no longer allowed"), refusal(404, "Not Found")}) {
    Trial trial = first_trial(vllm);
    CHECK(ask_less(&trial, no, vllm) == "/v1/chat/completions");
    CHECK_FALSE(trial.chat);
    CHECK(trial.asked.top_logprobs == 20);
  }
}

TEST_CASE("trial: which answers call for less, and which for nothing", "[capture]") {
  for (const int status : {400, 404, 405, 422, 500, 501}) CHECK(trial_end(refusal(status, "no")) == TrialEnd::kRefused);
  for (const int status : {0, 401, 403, 429, 502, 503}) CHECK(trial_end(refusal(status, "no")) == TrialEnd::kFailed);
  CHECK(trial_end(answer(200, first_stream("openai_chat_stream_vllm.sse"), "text/event-stream")) == TrialEnd::kTaken);
  CHECK(trial_end(answer(200, "data: {\"error\": {\"message\": \"no\", \"code\": 400}}\n\ndata: [DONE]\n\n", "text/event-stream")) == TrialEnd::kRefused);
}

TEST_CASE("trial: a refusal inside a stream says its own words", "[capture]") {
  CHECK(refusal_words(answer(200, "data: {\"error\": {\"message\": \"logprobs are off\", \"code\": 400}}\n\ndata: [DONE]\n\n", "text/event-stream")).en == "an error in its answer \"logprobs are off\"");
  CHECK(refusal_words(refusal(400, "no")).en == "HTTP 400 \"no\"");
}

TEST_CASE("trial: a stream of vLLM proves ids, finish reason, usage and streaming", "[capture]") {
  Server server = server_of("vllm");
  Trial trial = first_trial(*server.dialect);
  trial.asked.logprobs = false;
  read_trial(trial, answer(200, first_stream("openai_chat_stream_vllm.sse"), "text/event-stream; charset=utf-8"), &server);
  CHECK(server.chat == 1);
  CHECK(server.completions == -1);
  CHECK(server.stream == 1);
  CHECK(server.token_ids == 1);
  CHECK(server.streamed_ids == 1);
  CHECK(server.finish_reason == 1);
  CHECK(server.logprobs == -1);
}

TEST_CASE("trial: logprobs with ids prove how many alternatives there are", "[capture]") {
  // Two tokens, each with its sampled token first and two more.
  const char* body = R"({"id": "c", "object": "chat.completion", "model": "toy", "choices": [{"index": 0, "message": {"role": "assistant", "content": "ab"}, "finish_reason": "length", "token_ids": [5, 6], "logprobs": {"content": [
    {"token": "token_id:5", "logprob": -0.1, "top_logprobs": [{"token": "token_id:5", "logprob": -0.1}, {"token": "token_id:8", "logprob": -3}, {"token": "token_id:9", "logprob": -4}]},
    {"token": "token_id:6", "logprob": -0.2, "top_logprobs": [{"token": "token_id:6", "logprob": -0.2}, {"token": "token_id:8", "logprob": -3}, {"token": "token_id:9", "logprob": -4}]}]}}],
    "prompt_token_ids": [1, 2], "usage": {"prompt_tokens": 2, "completion_tokens": 2, "total_tokens": 4}})";
  Server server = server_of("vllm");
  Trial trial = first_trial(*server.dialect);
  read_trial(trial, answer(200, body), &server);
  CHECK(server.stream == 0);
  CHECK(server.logprobs == 1);
  CHECK(server.top_logprobs == 1);
  CHECK(server.most_logprobs == 3);
  CHECK(server.prompt_token_ids == 1);
  CHECK(server.usage == 1);
  REQUIRE(server.problems.size() == 1);
  CHECK(server.problems[0].en == "/v1/chat/completions: a stream was asked for, and the answer came whole");
}

TEST_CASE("trial: ids that only the names of logprobs bring are not token ids of the answer", "[capture]") {
  const char* body = R"({"id": "c", "object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assistant", "content": "\"token_ids\": [1]"}, "finish_reason": "length", "token_ids": null, "logprobs": {"content": [
    {"token": "token_id:5", "logprob": -0.1, "top_logprobs": [{"token": "token_id:5", "logprob": -0.1}]}]}}], "prompt_token_ids": null, "usage": {"prompt_tokens": 2, "completion_tokens": 1, "total_tokens": 3}})";
  Server server = server_of("vllm");
  Trial trial = first_trial(*server.dialect);
  trial.asked.stream = false;
  read_trial(trial, answer(200, body), &server);
  CHECK(server.token_ids == 0);
  CHECK(server.logprobs == 1);
  CHECK(server.most_logprobs == 1);
}

TEST_CASE("trial: what was asked and did not come is a problem in words", "[capture]") {
  const char* body = R"({"id": "c", "object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assistant", "content": "ab"}}]})";
  Server server = server_of("openai");
  Trial trial = first_trial(*server.dialect);
  trial.asked.stream = false;
  read_trial(trial, answer(200, body), &server);
  CHECK(server.token_ids == 0);
  CHECK(server.finish_reason == 0);
  CHECK(server.usage == 0);
  CHECK(server.logprobs == 0);
  CHECK(server.most_logprobs == 0);
  std::string all;
  for (const Both& problem : server.problems) {
    all += problem.en + "\n";
    CHECK(holds(problem.zh, "/v1/chat/completions："));
  }
  for (const char* what : {"token ids were asked for", "no finish_reason", "no usage", "logprobs were asked for"}) CHECK(holds(all, what));
}

TEST_CASE("trial: ids of /tokenize, of vLLM and of llama.cpp", "[capture]") {
  std::vector<int32_t> ids;
  CHECK(read_tokenized(answer(200, R"({"count": 3, "max_model_len": 35000, "tokens": [100, 241, 242]})"), &ids));
  CHECK(ids == std::vector<int32_t>{100, 241, 242});
  CHECK(read_tokenized(answer(200, R"({"tokens": [1]})"), &ids));
  CHECK_FALSE(read_tokenized(answer(200, R"({"tokens": ["a", "b"]})"), &ids));
  CHECK_FALSE(read_tokenized(answer(200, R"({"tokens": []})"), &ids));
  CHECK_FALSE(read_tokenized(answer(404, R"({"tokens": [1]})"), &ids));
  CHECK_FALSE(read_tokenized(answer(200, "no JSON"), &ids));
  CHECK(tokenize_body("a\"b", server_of("llamacpp")) == R"({"model": "toy", "content": "a\"b"})");
}

TEST_CASE("trial: a prompt of ids must count as many tokens", "[capture]") {
  const auto counted = [](int tokens) {
    return answer(200, R"({"id": "c", "object": "text_completion", "choices": [{"index": 0, "text": "a", "finish_reason": "length"}], "usage": {"prompt_tokens": )" + std::to_string(tokens) + R"(, "completion_tokens": 1, "total_tokens": 9}})");
  };
  Both problem;
  CHECK(read_ids_trial(counted(4), 4, &problem));
  CHECK(problem.en.empty());
  CHECK_FALSE(read_ids_trial(counted(9), 4, &problem));
  CHECK(problem.en == "/v1/completions: a prompt of 4 ids counts 9 tokens; ids are not taken as they are");
  problem = {};
  CHECK_FALSE(read_ids_trial(refusal(422, "prompt must be text"), 4, &problem));
  CHECK(problem.en.empty());
}
