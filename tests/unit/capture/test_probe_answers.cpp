// What answers to small questions mean. Bodies: tests/golden/samples (made after the documents of the servers), or stated here.
#include <fstream>

#include "base/json.h"
#include "capture/answer_fault.h"
#include "capture/json_members.h"
#include "capture/recognise.h"
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

std::vector<std::string> golden_lines(const char* file) {
  std::ifstream in(std::string(VAA_GOLDEN) + "/samples/" + file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  REQUIRE(!lines.empty());
  return lines;
}

// The body that the recorded server answered to `path`.
std::string recorded(const char* path) {
  for (const std::string& line : golden_lines("vllm_endpoints.jsonl")) {
    const auto members = json_members(line);
    std::string asked;
    json_text(member_value(members, "path"), &asked);
    if (asked == path) return std::string(member_value(members, "body"));
  }
  FAIL(path);
  return "";
}

std::vector<ServedModel> models_of(const std::string& body) {
  std::vector<ServedModel> models;
  Both why;
  const bool read = read_models(body, &models, &why);
  INFO(why.en);
  REQUIRE(read);
  return models;
}

std::string not_models(const std::string& body) {
  std::vector<ServedModel> models;
  Both why;
  CHECK_FALSE(read_models(body, &models, &why));
  return why.en;
}

const char* kSglang = R"({"object": "list", "data": [{"id": "toy", "object": "model", "owned_by": "sglang", "max_model_len": 4096}]})";
const char* kLlama = R"({"models": [{"name": "toy.gguf"}], "object": "list", "data": [{"id": "toy.gguf", "owned_by": "llamacpp", "meta": {"n_ctx_train": 8192}}]})";
const char* kMindie = R"({"data": [{"id": "toy", "object": "model", "owned_by": "MindIE Server", "parent": "null", "root": "/models/toy/"}], "object": "list"})";
const char* kOther = R"({"object": "list", "data": [{"id": "toy", "owned_by": "me"}]})";

}  // namespace

TEST_CASE("probe answers: the models of vLLM as it was recorded", "[capture]") {
  const auto models = models_of(recorded("/v1/models"));
  REQUIRE(models.size() == 1);
  CHECK(models[0].id == "toy-8b");
  CHECK(models[0].owned_by == "vllm");
  CHECK(models[0].max_model_len == 35000);
  CHECK_FALSE(models[0].adapter);
  CHECK(read_version(answer(200, recorded("/version"))) == "0.25.1");
  CHECK(read_version(answer(404, R"({"detail": "Not Found"})")).empty());
  CHECK(read_version(answer(200, "<html>", "text/html")).empty());
}

TEST_CASE("probe answers: a server is what its models' owner says", "[capture]") {
  CHECK(std::string(recognise(models_of(recorded("/v1/models")), true, {}).name) == "vllm");
  CHECK(std::string(recognise(models_of(kSglang), false, {}).name) == "sglang");
  CHECK(std::string(recognise(models_of(kLlama), false, {}).name) == "llamacpp");
  CHECK(std::string(recognise(models_of(kMindie), false, {}).name) == "mindie");
  CHECK(std::string(recognise(models_of(kOther), false, {}).name) == "openai");
  CHECK(std::string(recognise({}, false, {}).name) == "openai");
}

TEST_CASE("probe answers: where the owner says nothing, own paths and then /version do", "[capture]") {
  const std::vector<OwnAnswer> props = {{"/server_info", answer(404, "")}, {"/props", answer(200, R"({"default_generation_settings": {"n_ctx": 4096}, "build_info": "b6000-abc"})")}};
  CHECK(std::string(recognise(models_of(kOther), false, props).name) == "llamacpp");
  CHECK(context_length(props[1].response.body) == 4096);
  CHECK(own_version(props[1].response.body) == "b6000-abc");
  CHECK(std::string(recognise(models_of(kOther), true, {}).name) == "vllm");
  // A proxy that answers everything with a page is none of them.
  CHECK(std::string(recognise(models_of(kOther), false, {{"/props", answer(200, "<html></html>", "text/html")}}).name) == "openai");
  CHECK(own_paths(models_of(kSglang)) == std::vector<std::string>{"/get_server_info"});
  CHECK(own_paths(models_of(kMindie)).size() >= 3);
  CHECK(own_paths(models_of(kOther)).size() >= 3);
}

TEST_CASE("probe answers: vLLM whose device is an NPU is vLLM-Ascend", "[capture]") {
  const auto models = models_of(recorded("/v1/models"));
  const auto told = [&](const char* config) { return std::string(recognise(models, true, {{"/server_info", answer(200, config)}}).name); };
  CHECK(told(R"({"vllm_config": "model='/data/toy', speculative_config=None, device_config=npu, input=1"})") == "vllm_ascend");
  CHECK(told(R"({"vllm_config": "model='/data/toy', speculative_config=None, device_config=cuda, input=1"})") == "vllm");
}

TEST_CASE("probe answers: the model is the one served, and a name that is not is answered with those that are", "[capture]") {
  const auto lora = models_of(R"({"data": [{"id": "base", "parent": null}, {"id": "sql", "parent": "base"}]})");
  CHECK(chosen_model(lora, "", "http://h").id == "base");
  CHECK(chosen_model(lora, "sql", "http://h").id == "sql");
  CHECK(chosen_model(models_of(kMindie), "", "http://h").id == "toy");
  CHECK(refused(VAA_ERROR_NOT_FOUND, [&] { chosen_model(lora, "bas", "http://h:8000"); }) == "model: \"bas\" is not served at http://h:8000; it serves \"base\", \"sql\"");
  const auto two = models_of(R"({"data": [{"id": "a"}, {"id": "b"}]})");
  CHECK(refused(VAA_ERROR_NOT_FOUND, [&] { chosen_model(two, "", "http://h"); }) == "model: http://h serves 2 models, name one of them: \"a\", \"b\"");
}

TEST_CASE("probe answers: what is no list of models says what it is", "[capture]") {
  CHECK(holds(not_models("<html><title>Welcome</title>"), "no JSON: \"<html>"));
  CHECK(not_models("") == "an empty answer");
  CHECK(holds(not_models(R"({"detail": "Not Found"})"), "without a list `data`"));
  CHECK(holds(not_models(R"({"data": []})"), "without a model"));
  CHECK(holds(not_models(R"({"data": [{"id": "a"}]} x)"), "no JSON"));
  CHECK(holds(not_models(R"({"data": [1, null, {"id": 7}]})"), "without a model"));
}

TEST_CASE("probe answers: a connection that fails says what to try", "[capture]") {
  HttpResponse none;
  none.end.kind = HttpEnd::Kind::kRefused;
  none.end.fault = "127.0.0.1:8000: connection refused";
  CHECK(answer_fault(none, "http://127.0.0.1:8000", "/v1/models") == "http://127.0.0.1:8000: connection refused; is the server up? try: curl http://127.0.0.1:8000/v1/models");
  none.end.kind = HttpEnd::Kind::kTls;
  CHECK(holds(answer_fault(none, "https://h", "/v1/models"), "ca_file"));
  none.end.kind = HttpEnd::Kind::kTimeout;
  CHECK(holds(answer_fault(none, "http://h", "/v1/models"), "proxy"));
  none.end.kind = HttpEnd::Kind::kName;
  CHECK(holds(answer_fault(none, "http://h", "/v1/models"), "name"));
}

TEST_CASE("probe answers: each status says what the server said and which option helps", "[capture]") {
  const auto fault = [](int status, const char* body, const char* type = "application/json") { return answer_fault(answer(status, body, type), "http://h:8000", "/v1/models"); };
  CHECK(fault(200, "{}").empty());
  CHECK(fault(401, R"({"error": "Unauthorized"})") == "http://h:8000/v1/models: HTTP 401 \"Unauthorized\"; option key_file or key_env names where the key is");
  CHECK(holds(fault(403, ""), "HTTP 403; this may not be asked without a key"));
  for (const int status : {401, 403}) CHECK(holds(answer_fault(answer(status, ""), "http://h:8000", "/v1/models", true), "; the key that option key_file or key_env gave was refused"));
  CHECK(holds(fault(404, R"({"detail": "Not Found"})"), "\"Not Found\"; is this the base URL"));
  CHECK(holds(fault(503, R"({"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}})"), "\"Loading model\"; the server is loading its model"));
  CHECK(holds(fault(502, "<html><h1>502 Bad Gateway</h1></html>", "text/html"), "HTTP 502 a page of HTML"));
  CHECK(holds(fault(200, "<!doctype html><html>", "text/html"), "a page of HTML came instead of JSON; is this the base URL"));
  CHECK(holds(fault(302, ""), "moved"));
  CHECK(holds(fault(407, ""), "proxy"));
}

TEST_CASE("probe answers: the server's words out of all shapes of error bodies", "[capture]") {
  for (const std::string& line : golden_lines("openai_error_bodies.jsonl")) {
    const std::string body(member_value(json_members(line), "response"));
    INFO(body);
    std::string page;
    const std::string words = server_words(answer(400, json_text(body, &page) ? page : body));
    CHECK(words.size() > 2);
    CHECK_FALSE(holds(words, "\"error\""));
  }
  CHECK(server_words(answer(500, "plain words\n")) == "\"plain words\\n\"");
  CHECK(server_words(answer(500, "")).empty());
  CHECK(server_words(answer(500, R"({"error": {"error": {"error": 1}}})")).empty());
  CHECK(server_words(answer(500, std::string(100000, 'x'))).size() < 400);
}
