#include <algorithm>

#include "capture/json_members.h"
#include "capture/request.h"
#include "refused.h"

using namespace vaa;
using namespace vaa::capture;

namespace {

Server server_of(const char* dialect, const char* model = "toy") {
  Server server;
  server.dialect = find_dialect(dialect);
  server.model = model;
  return server;
}

Request chat(std::string body) { return {"17", "gsm8k", 0, "/v1/chat/completions", std::move(body), "", 0}; }
Request completion(std::string body) { return {"17", "gsm8k", 0, "/v1/completions", std::move(body), "", 0}; }

std::string fitted(const Request& request, const Server& server, const char* purpose, const RequestChanges& changes = {}, std::vector<Both>* notes = nullptr) {
  std::vector<Both> ignored;
  return fitted_body(request, server, find_purpose(purpose), changes, notes ? notes : &ignored);
}

std::string value_of(const std::string& body, const char* key) { return std::string(member_value(json_members(body), key)); }

}  // namespace

TEST_CASE("fitted body: members that are not changed keep their bytes", "[capture]") {
  // A seed above 2^63, a number with an exponent, NUL, a lone surrogate, escapes and white space.
  const std::string kept = "\"messages\":[ {\"role\": \"user\", \"content\": \"a\\u0000\\ud83d\\/ \\u00e9\"} ] , \"seed\" :18446744073709551615,\"temperature\":6.0e-1";
  const std::string body = fitted(chat("{" + kept + "}"), server_of("vllm"), "quality");
  CHECK(body == "{\"messages\":[ {\"role\": \"user\", \"content\": \"a\\u0000\\ud83d\\/ \\u00e9\"} ], \"seed\" :18446744073709551615, \"temperature\":6.0e-1, "
                "\"model\": \"toy\", \"stream\": true, \"stream_options\": {\"include_usage\": true}, \"return_token_ids\": true}");
}

TEST_CASE("fitted body: what is set stands once, where it stood first", "[capture]") {
  const std::string body = fitted(chat(R"({"model": "a", "messages": [], "stream": false, "model": "b", "mod\u0065l": "c", "stream": null})"), server_of("vllm"), "quality");
  CHECK(body == R"({"model": "toy", "messages": [], "stream": true, "stream_options": {"include_usage": true}, "return_token_ids": true})");
}

TEST_CASE("fitted body: without a model of the server the input's stays", "[capture]") {
  CHECK(value_of(fitted(chat(R"({"model": "a", "messages": []})"), server_of("openai", ""), "quality"), "model") == "\"a\"");
}

TEST_CASE("fitted body: logprobs in the form of chat and of completions", "[capture]") {
  const std::string c = fitted(chat(R"({"messages": [], "temperature": 0.6})"), server_of("vllm"), "compare");
  CHECK(value_of(c, "logprobs") == "true");
  CHECK(value_of(c, "top_logprobs") == "20");
  CHECK(value_of(c, "return_tokens_as_token_ids") == "true");
  CHECK(value_of(c, "temperature") == "0");
  const std::string t = fitted(completion(R"({"prompt": "x", "max_tokens": 5})"), server_of("vllm"), "compare");
  CHECK(value_of(t, "logprobs") == "20");
  CHECK(value_of(t, "top_logprobs").empty());
}

TEST_CASE("fitted body: no more logprobs than the server gives, and that is said once", "[capture]") {
  Server server = server_of("vllm");
  server.most_logprobs = 5;
  std::vector<Both> notes;
  for (int i = 0; i < 3; ++i) CHECK(value_of(fitted(chat(R"({"messages": []})"), server, "compare", {}, &notes), "top_logprobs") == "5");
  REQUIRE(notes.size() == 2);
  CHECK(notes[0].en == "top_logprobs: 20 are wanted, vLLM gives 5 here");
  CHECK(holds(notes[1].en, "without drafts"));
  server.logprobs = 0;
  const std::string none = fitted(chat(R"({"messages": []})"), server, "compare");
  CHECK(value_of(none, "logprobs").empty());
  // Alternatives that come without ids are of no use; the logprob of the token that was taken is.
  server.logprobs = 1;
  server.most_logprobs = 0;
  const std::string alone = fitted(chat(R"({"messages": []})"), server, "compare");
  CHECK(value_of(alone, "logprobs") == "true");
  CHECK(value_of(alone, "top_logprobs").empty());
  CHECK(value_of(fitted(completion(R"({"prompt": "x"})"), server, "compare"), "logprobs") == "1");
  RequestChanges three;
  three.top_logprobs = 3;
  CHECK(value_of(fitted(chat(R"({"messages": []})"), server_of("mindie"), "quality", three), "top_logprobs") == "3");
}

TEST_CASE("fitted body: token ids only of servers that return them, and what is left out is named", "[capture]") {
  std::vector<Both> notes;
  CHECK(value_of(fitted(chat(R"({"messages": []})"), server_of("mindie"), "quality", {}, &notes), "return_token_ids").empty());
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].en == "token ids: MindIE returns none here");
  notes.clear();
  Server whole = server_of("llamacpp");
  whole.token_ids = 1;
  whole.streamed_ids = 0;
  notes.clear();
  CHECK(value_of(fitted(chat(R"({"messages": []})"), whole, "quality", {}, &notes), "return_tokens").empty());
  REQUIRE(notes.size() == 1);
  CHECK(holds(notes[0].en, "option stream false"));
  RequestChanges unstreamed;
  unstreamed.stream = false;
  notes.clear();
  const std::string body = fitted(chat(R"({"messages": [], "stream_options": {"include_usage": true}})"), whole, "quality", unstreamed, &notes);
  CHECK(notes.empty());
  CHECK(value_of(body, "return_tokens") == "true");
  CHECK(value_of(body, "stream") == "false");
  CHECK(value_of(body, "stream_options").empty());  // beside "stream": false a server refuses it
}

TEST_CASE("fitted body: changes stand before what input and purpose say", "[capture]") {
  RequestChanges changes;
  changes.max_tokens = 64;
  changes.temperature = 0.7;
  changes.top_p = 0.95;
  changes.top_k = -1;
  changes.seed = 5;
  const std::string body = fitted(chat(R"({"messages": [], "max_tokens": 9, "temperature": 1, "seed": 18446744073709551615})"), server_of("vllm"), "compare", changes);
  CHECK(value_of(body, "max_tokens") == "64");
  CHECK(value_of(body, "temperature") == "0.7");
  CHECK(value_of(body, "top_p") == "0.95");
  CHECK(value_of(body, "top_k") == "-1");
  CHECK(value_of(body, "seed") == "5");
  const std::string newer = fitted(chat(R"({"messages": [], "max_completion_tokens": 9, "max_tokens": 3})"), server_of("vllm"), "quality", changes);
  CHECK(value_of(newer, "max_completion_tokens") == "64");
  CHECK(value_of(newer, "max_tokens").empty());
}

TEST_CASE("fitted body: spec refuses what switches speculation off, by name, and changes nothing", "[capture]") {
  const std::string message = refused(VAA_ERROR_ARGUMENT, [] { fitted(chat(R"({"messages": [], "min_p": 0.05, "presence_penalty": 0.5, "logprobs": true})"), server_of("vllm"), "spec"); });
  CHECK(holds(message, "request \"17\": logprobs, min_p, presence_penalty would switch speculative decoding off on vLLM"));
  CHECK(value_of(fitted(chat(R"({"messages": [], "min_p": 0.0})"), server_of("vllm"), "spec"), "min_p") == "0.0");
  RequestChanges logprobs;
  logprobs.top_logprobs = 1;
  CHECK(holds(refused(VAA_ERROR_ARGUMENT, [&] { fitted(chat(R"({"messages": []})"), server_of("vllm_ascend"), "spec", logprobs); }), "logprobs would switch"));
}

TEST_CASE("fitted body: a completion without max_tokens is said to end early", "[capture]") {
  std::vector<Both> notes;
  fitted(completion(R"({"prompt": "x"})"), server_of("vllm"), "quality", {}, &notes);
  REQUIRE(notes.size() == 1);
  CHECK(holds(notes[0].en, "max_tokens"));
  notes.clear();
  fitted(chat(R"({"messages": []})"), server_of("vllm"), "quality", {}, &notes);
  CHECK(notes.empty());
}

TEST_CASE("fitted body: a path or a form of prompt that the server has not is said", "[capture]") {
  Server server = server_of("vllm");
  server.chat = 0;
  std::vector<Both> notes;
  fitted(chat(R"({"messages": []})"), server, "quality", {}, &notes);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].en == "/v1/chat/completions: the trial request to it was not answered by vLLM here");
  notes.clear();
  fitted(completion(R"({"prompt": [ 1, 2], "max_tokens": 1})"), server, "quality", {}, &notes);
  CHECK(notes.empty());
  server.prompt_as_ids = 0;
  fitted(completion(R"({"prompt": [[1, 2]], "max_tokens": 1})"), server, "quality", {}, &notes);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].en == "prompt: is a list of ids, which vLLM does not take here");
  notes.clear();
  fitted(completion(R"({"prompt": ["1", "2"], "max_tokens": 1})"), server, "quality", {}, &notes);
  CHECK(notes.empty());
}

TEST_CASE("fitted body: what is no JSON object is refused with its byte", "[capture]") {
  CHECK(holds(refused(VAA_ERROR_FORMAT, [] { fitted(chat("[1]"), server_of("vllm"), "quality"); }), "must be a JSON object"));
  CHECK(holds(refused(VAA_ERROR_FORMAT, [] { fitted(chat("{\"a\": 1,}"), server_of("vllm"), "quality"); }), "is no JSON: column 9: "));
  CHECK(holds(refused(VAA_ERROR_FORMAT, [] { fitted(chat("{} x"), server_of("vllm"), "quality"); }), "is no JSON: column 4: "));
}

TEST_CASE("request hash: the question, whatever its writing, model and recording", "[capture]") {
  const std::string path = "/v1/chat/completions";
  const std::string one = request_hash(path, R"({"model": "a", "messages": [{"role": "user", "content": "\u00e9"}], "temperature": 0.0, "seed": 7})");
  CHECK(one.size() == 32);
  CHECK(one.find_first_not_of("0123456789abcdef") == one.npos);
  CHECK(request_hash(path, "{\"seed\":7,\"temperature\":0,\"messages\":[{\"role\":\"user\",\"content\":\"\xC3\xA9\"}],\"model\":\"b\",\"stream\":true,\"logprobs\":true,\"top_logprobs\":20,\"return_token_ids\":true}") == one);
  CHECK(request_hash("/v1/completions", R"({"messages": [{"role": "user", "content": "\u00e9"}], "temperature": 0.0, "seed": 7})") != one);
  CHECK(request_hash(path, R"({"messages": [{"role": "user", "content": "e"}], "temperature": 0.0, "seed": 7})") != one);
  CHECK(request_hash(path, R"({"messages": [{"role": "user", "content": "\u00e9"}], "temperature": 0.1, "seed": 7})") != one);
}

TEST_CASE("request hash: seeds of 64 bits and the borders of texts tell requests apart", "[capture]") {
  const auto hash = [](const char* body) { return request_hash("/v1/completions", body); };
  CHECK(hash(R"({"prompt": "x", "seed": 18446744073709551615})") != hash(R"({"prompt": "x", "seed": 18446744073709551614})"));
  CHECK(hash(R"({"prompt": ["ab", "c"]})") != hash(R"({"prompt": ["a", "bc"]})"));
  CHECK(hash(R"({"prompt": [1, 23]})") != hash(R"({"prompt": [12, 3]})"));
  CHECK(hash(R"({"prompt": "1"})") != hash(R"({"prompt": 1})"));
}

TEST_CASE("fitted body: what logprobs do to drafts is said of the versions that do it", "[capture]") {
  const auto said = [](const char* version) {
    Server server = server_of("vllm");
    server.version = version;
    std::vector<Both> notes;
    fitted(chat(R"({"messages": []})"), server, "compare", {}, &notes);
    return std::any_of(notes.begin(), notes.end(), [](const Both& note) { return note.en.find("decoded without drafts") != std::string::npos; });
  };
  for (const char* version : {"", "0.13.2", "0.9", "v0", "dev"}) CHECK(said(version));
  for (const char* version : {"0.14", "0.14.0", "0.25.1rc1", "1.0"}) CHECK_FALSE(said(version));
}
