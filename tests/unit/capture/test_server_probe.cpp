// The questions of a probe, asked of a server of the tests' own.
#include <map>
#include <mutex>

#include "capture/asker.h"
#include "loopback.h"
#include "refused.h"

using namespace vaa;
using namespace vaa::capture;
using loopback::Connection;

namespace {

constexpr const char* kModels = R"({"object": "list", "data": [{"id": "toy", "owned_by": "vllm", "max_model_len": 4096}]})";
constexpr const char* kCompletion = R"({"id": "c", "object": "text_completion", "choices": [{"index": 0, "text": "a", "finish_reason": "length"}], "usage": {"prompt_tokens": 2, "completion_tokens": 1, "total_tokens": 3}})";

// What is answered to a path; what is not in it is not found. An answer may change with each time it is asked: the last stays.
struct Answers {
  std::map<std::string, std::vector<std::pair<int, std::string>>> of;
  std::map<std::string, size_t> asked;
  std::vector<std::string> bodies;  // of the trials, in their order
  std::mutex mutex;

  loopback::Script script() {
    return [this](Connection& peer, const loopback::Request& request) {
      const std::lock_guard<std::mutex> lock(mutex);
      const size_t from = request.head.find(' ') + 1;
      const std::string path = request.head.substr(from, request.head.find(' ', from) - from);
      if (!request.body.empty()) bodies.push_back(request.body);
      const auto found = of.find(path);
      if (found == of.end()) return peer.send(loopback::response(404, R"({"detail": "Not Found"})"));
      const auto& [status, body] = found->second[std::min(asked[path]++, found->second.size() - 1)];
      peer.send(loopback::response(status, body, body.front() == '<' ? "text/html" : body.rfind("data:", 0) == 0 ? "text/event-stream" : "application/json"));
    };
  }
};

AskerOptions options(const std::string& more = "") {
  AskerOptions made = asker_options(R"({"urls": ["http://127.0.0.1:1"])" + more + "}");
  made.session.max_retry_wait_s = 0.01;
  return made;
}

std::string fault(Answers* answers, const std::string& more = "", vaa_status status = VAA_ERROR_IO) {
  loopback::Server server(answers->script());
  return refused(status, [&] { probe_server(options(more), server.url(), nullptr); });
}

}  // namespace

TEST_CASE("server probe: version, model, length and what the trial gave", "[capture][threads]") {
  Answers answers;
  answers.of = {{"/v1/models", {{200, kModels}}}, {"/version", {{200, R"({"version": "0.25.1"})"}}}, {"/tokenize", {{200, R"({"tokens": [5, 6]})"}}}, {"/metrics", {{200, "vllm:x 1\n"}}},
                {"/v1/completions", {{200, kCompletion}}},
                {"/v1/chat/completions", {{200, "data: {\"object\": \"chat.completion.chunk\", \"choices\": [{\"index\": 0, \"delta\": {\"content\": \"a\"}, \"finish_reason\": \"stop\", \"token_ids\": [5]}]}\n\ndata: [DONE]\n\n"}}}};
  loopback::Server server(answers.script());
  const Server found = probe_server(options(), server.url() + "/v1/", nullptr);
  CHECK(found.url == server.url());
  CHECK(std::string(found.dialect->name) == "vllm");
  CHECK(found.version == "0.25.1");
  CHECK(found.model == "toy");
  CHECK(found.max_model_len == 4096);
  for (const int8_t fact : {found.chat, found.completions, found.stream, found.token_ids, found.finish_reason, found.tokenize, found.prompt_as_ids, found.metrics}) CHECK(fact == 1);
  CHECK(found.usage == 0);
  CHECK(found.logprobs == 0);
  CHECK(answers.bodies.size() == 3);  // trial, /tokenize, a prompt of ids
}

TEST_CASE("server probe: what is refused is left out, and the problem has the server's words", "[capture][threads]") {
  Answers answers;
  answers.of = {{"/v1/models", {{200, kModels}}}, {"/v1/completions", {{200, kCompletion}}},
                {"/v1/chat/completions", {{400, R"({"error": {"message": "Requested sample logprobs of 20, which is greater than max allowed: 5"}})"}, {422, R"({"detail": "unknown member return_token_ids"})"},
                                          {200, R"({"id": "c", "object": "chat.completion", "choices": [{"index": 0, "message": {"content": "a"}, "finish_reason": "stop"}]})"}}}};
  loopback::Server server(answers.script());
  const Server found = probe_server(options(), server.url(), nullptr);
  REQUIRE(found.problems.size() >= 2);
  CHECK(found.problems[0].en == "/v1/chat/completions: top_logprobs 20 is not taken: HTTP 400 \"Requested sample logprobs of 20, which is greater than max allowed: 5\"");
  CHECK(found.problems[1].en == "/v1/chat/completions: return_token_ids is not taken: HTTP 422 \"unknown member return_token_ids\"");
  CHECK(found.token_ids == 0);
  CHECK(found.stream == 0);
  REQUIRE(answers.bodies.size() >= 3);
  CHECK(holds(answers.bodies[1], "\"top_logprobs\": 5"));
  CHECK_FALSE(holds(answers.bodies[2], "return_token_ids"));
}

TEST_CASE("server probe: a server that is loading is waited for, and one that goes on loading says so", "[capture][threads]") {
  const std::pair<int, std::string> loading = {503, R"({"error": {"code": 503, "message": "Loading model"}})"};
  Answers answers;
  answers.of = {{"/v1/models", {loading, loading, {200, kModels}}}, {"/v1/completions", {{200, kCompletion}}}};
  {
    loopback::Server server(answers.script());
    CHECK(probe_server(options(), server.url(), nullptr).model == "toy");
    CHECK(answers.asked["/v1/models"] == 3);
  }
  Answers never;
  never.of = {{"/v1/models", {loading}}};
  CHECK(holds(fault(&never, R"(, "retries": 2)"), "HTTP 503 \"Loading model\"; the server is loading its model"));
  CHECK(never.asked["/v1/models"] == 3);
}

TEST_CASE("server probe: what is no server of models is refused at the first question", "[capture][threads]") {
  Answers page, key, nothing, other;
  page.of = {{"/v1/models", {{200, "<html></html>"}}}};
  CHECK(holds(fault(&page), "/v1/models: a page of HTML came instead of JSON; is this the base URL"));
  key.of = {{"/v1/models", {{401, R"({"error": "Unauthorized"})"}}}};
  CHECK(holds(fault(&key), "HTTP 401 \"Unauthorized\"; option key_file"));
  CHECK(holds(fault(&nothing), "HTTP 404 \"Not Found\"; is this the base URL"));
  other.of = {{"/v1/models", {{200, kModels}}}};
  CHECK(holds(fault(&other, R"(, "model": "toi")", VAA_ERROR_NOT_FOUND), "\"toi\" is not served at http://127.0.0.1:"));
  CHECK(holds(refused(VAA_ERROR_IO, [] { probe_server(options(), "http://127.0.0.1:" + std::to_string(loopback::closed_port()), nullptr); }), "is the server up? try: curl http://127.0.0.1:"));
}

TEST_CASE("server probe: a server without a list of models is asked for the model that is named", "[capture][threads]") {
  Answers answers;
  answers.of = {{"/v1/completions", {{200, kCompletion}}}};
  loopback::Server server(answers.script());
  const Server found = probe_server(options(R"(, "model": "mine", "engine": "openai")"), server.url(), nullptr);
  CHECK(found.model == "mine");
  CHECK(found.chat == 0);
  CHECK(found.completions == 1);
  CHECK(holds(found.problems[0].en, "/v1/models: HTTP 404"));
}

TEST_CASE("server probe: a key that a server sends back is in no message, nor what it tells of its own options", "[capture][threads]") {
  Answers answers;
  answers.of = {{"/v1/models", {{401, R"({"error": {"message": "Incorrect API key provided: sk-XYZZY"}})"}}}};
  loopback::Server server(answers.script());
  AskerOptions with_key = options();
  with_key.session.connection.key = "sk-XYZZY";
  CHECK_FALSE(holds(refused(VAA_ERROR_IO, [&] { probe_server(with_key, server.url(), nullptr); }), "XYZZY"));
  Answers sglang;
  sglang.of = {{"/v1/models", {{200, R"({"data": [{"id": "toy", "owned_by": "sglang"}]})"}}}, {"/get_server_info", {{200, R"({"api_key": "sk-XYZZY", "version": "0.5.9", "context_length": 2048})"}}}};
  loopback::Server telling(sglang.script());
  const Server found = probe_server(options(), telling.url(), nullptr);
  CHECK(found.version == "0.5.9");
  CHECK(found.max_model_len == 2048);
  CHECK_FALSE(holds(found.config_json, "XYZZY"));
}
