// What real engines answered to the questions of a probe (tests/golden/engines, byte for byte).
#include "capture/answer_fault.h"
#include "capture/recognise.h"
#include "capture/trial.h"
#include "recorded_answer.h"
#include "refused.h"

using namespace vaa;
using namespace vaa::capture;

namespace {

constexpr const char* kVllm = "vllm-0.32.0";

Server vllm() {
  std::vector<ServedModel> models;
  Both why;
  const HttpResponse answer = recorded_answer(kVllm, "models");
  REQUIRE(answer_fault(answer, "http://h", "/v1/models").empty());
  REQUIRE(read_models(answer.body, &models, &why));
  Server server;
  server.version = read_version(recorded_answer(kVllm, "version"));
  server.dialect = &recognise(models, !server.version.empty(), {{"/server_info", recorded_answer(kVllm, "not_found")}});
  const ServedModel& model = chosen_model(models, "", "http://h");
  server.model = model.id;
  server.max_model_len = model.max_model_len;
  return server;
}

}  // namespace

TEST_CASE("real servers: vLLM 0.32 is recognised with version, model and length", "[capture]") {
  const Server server = vllm();
  CHECK(std::string(server.dialect->name) == "vllm");
  CHECK(server.version == "0.32.0");
  CHECK(server.model == "lag");
  CHECK(server.max_model_len == 8192);
}

TEST_CASE("real servers: a stream of vLLM 0.32 proves all that its trial asked for", "[capture]") {
  Server server = vllm();
  Trial trial = first_trial(*server.dialect);
  trial.asked.top_logprobs = 2;  // as the recorded request says
  const HttpResponse answer = recorded_answer(kVllm, "chat_stream_ids_logprobs");
  REQUIRE(trial_end(answer) == TrialEnd::kTaken);
  read_trial(trial, answer, &server);
  for (const int8_t fact : {server.chat, server.stream, server.token_ids, server.streamed_ids, server.prompt_token_ids, server.finish_reason, server.usage, server.logprobs, server.top_logprobs}) CHECK(fact == 1);
  CHECK(server.most_logprobs == 2);
  CHECK(server.problems.empty());
}

TEST_CASE("real servers: vLLM 0.32 names the logprobs that it refuses, and less is asked", "[capture]") {
  const HttpResponse answer = recorded_answer(kVllm, "error_too_many_logprobs");
  CHECK(trial_end(answer) == TrialEnd::kRefused);
  CHECK(holds(answer_fault(answer, "http://h", "/v1/chat/completions"), "HTTP 400 \"Requested sample logprobs of 1000, which is greater than max allowed: 20"));
  Trial trial = first_trial(*find_dialect("vllm"));
  CHECK(ask_less(&trial, answer, *find_dialect("vllm")) == "top_logprobs 20");
  CHECK(trial.asked.ids);
}

TEST_CASE("real servers: vLLM 0.32 gives ids of text and takes ids as a prompt", "[capture]") {
  std::vector<int32_t> ids;
  REQUIRE(read_tokenized(recorded_answer(kVllm, "tokenize"), &ids));
  REQUIRE(ids.size() == 12);
  CHECK(ids[0] == 0);
  const HttpResponse answer = recorded_answer(kVllm, "completion_of_ids");
  Both problem;
  CHECK(read_ids_trial(answer, ids.size(), &problem));  // the recorded request sent these ids
  CHECK(problem.en.empty());
}

TEST_CASE("real servers: llama.cpp streams the ids of some tokens beside logprobs, and gives all of them whole", "[capture]") {
  constexpr const char* kLlama = "llama.cpp-0c1e570";
  std::vector<ServedModel> models;
  Both why;
  REQUIRE(read_models(recorded_answer(kLlama, "models").body, &models, &why));
  const HttpResponse props = recorded_answer(kLlama, "props");
  Server server;
  server.dialect = &recognise(models, false, {{"/props", props}});
  CHECK(std::string(server.dialect->name) == "llamacpp");
  server.model = chosen_model(models, "", "http://h").id;
  CHECK(server.model == "lag");
  CHECK(context_length(props.body) == 8192);
  Trial trial = first_trial(*server.dialect);
  trial.asked.top_logprobs = 2;
  read_trial(trial, recorded_answer(kLlama, "chat_stream_ids_logprobs"), &server);
  CHECK(server.token_ids == 0);
  CHECK(server.most_logprobs == 2);
  trial.asked.stream = false;
  read_whole_trial(trial, recorded_answer(kLlama, "chat_verbose"), &server);
  CHECK(server.token_ids == 1);
  CHECK(server.streamed_ids == 0);
  REQUIRE(server.problems.size() == 1);
  CHECK(server.problems[0].en == "/v1/chat/completions: token ids come only where the answer is not streamed");
  Both problem;
  CHECK(read_ids_trial(recorded_answer(kLlama, "completion_of_ids"), 12, &problem));
}

TEST_CASE("real servers: llama-cpp-python is a server like others, without ids", "[capture]") {
  constexpr const char* kPython = "llama-cpp-python-0.3.36";
  std::vector<ServedModel> models;
  Both why, problem;
  REQUIRE(read_models(recorded_answer(kPython, "models").body, &models, &why));
  Server server;
  server.dialect = &recognise(models, false, {{"/props", recorded_answer(kPython, "not_found")}});
  CHECK(std::string(server.dialect->name) == "openai");
  Trial trial = first_trial(*server.dialect);
  trial.asked.top_logprobs = 2;
  read_trial(trial, recorded_answer(kPython, "chat_stream_ids_logprobs"), &server);
  CHECK(server.token_ids == 0);
  CHECK(server.logprobs == 1);
  CHECK(server.top_logprobs == 0);  // alternatives by their text
  CHECK_FALSE(read_ids_trial(recorded_answer(kPython, "completion_of_ids"), 12, &problem));
  CHECK(holds(answer_fault(recorded_answer(kPython, "unauthorized"), "http://h", "/v1/models"), "HTTP 401 \"Invalid API key\"; option key_file"));
}
