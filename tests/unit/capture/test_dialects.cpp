#include <set>

#include "capture/dialect.h"
#include "capture/json_members.h"
#include "capture/request.h"
#include "refused.h"

using namespace vaa;
using namespace vaa::capture;

TEST_CASE("dialects: each row is found by its name, and its members are JSON", "[capture]") {
  std::set<std::string> names;
  for (const Dialect& dialect : dialect_table()) {
    INFO(dialect.name);
    names.insert(dialect.name);
    CHECK(find_dialect(dialect.name) == &dialect);
    for (const char* members : {dialect.ask_ids, dialect.ask_usage, dialect.greedy}) CHECK_NOTHROW(json_members("{" + std::string(members) + "}"));
    for (const char* path : {dialect.own_path, dialect.tokenize_path, dialect.metrics_path}) CHECK((path[0] == '\0' || path[0] == '/'));
    CHECK((dialect.tokenize_path[0] == '\0') == (dialect.tokenize_key[0] == '\0'));
    for (const auto& headers : {dialect.rank_headers, dialect.replica_headers})
      for (const std::string header : headers) CHECK(header.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ ") == header.npos);
  }
  CHECK(names == std::set<std::string>{"vllm", "vllm_ascend", "sglang", "llamacpp", "mindie", "openai"});
  CHECK(find_dialect("tgi") == nullptr);
  CHECK(dialect_names() == "vllm, vllm_ascend, sglang, llamacpp, mindie, openai");
}

TEST_CASE("dialects: greedy is temperature 0 everywhere, for nothing above it is", "[capture]") {
  for (const Dialect& dialect : dialect_table()) CHECK(std::string(dialect.greedy) == "\"temperature\": 0");
}

TEST_CASE("dialects: what keeps a request from speculation counts only where it is not neutral", "[capture]") {
  Server server;
  server.dialect = find_dialect("vllm");
  const auto against = [&](const char* body) { return against_speculation(body, server); };
  CHECK(against(R"({"logprobs": true, "top_logprobs": 5, "min_p": 0.05, "repetition_penalty": 1.1})") == std::vector<std::string>{"logprobs", "min_p", "repetition_penalty"});
  CHECK(against(R"({"logprobs": false, "min_p": 0, "repetition_penalty": 1.0, "presence_penalty": 0.0, "frequency_penalty": null, "logit_bias": {}})").empty());
  CHECK(against(R"({"logprobs": 0})") == std::vector<std::string>{"logprobs"});  // of /v1/completions: the sampled token's are asked for
  CHECK(against(R"({"logit_bias": {"17": -100}})") == std::vector<std::string>{"logit_bias"});
  server.dialect = find_dialect("llamacpp");
  CHECK(against(R"({"logprobs": true, "min_p": 0.05})").empty());
  server.dialect = find_dialect("mindie");
  CHECK(against(R"({"logprobs": true})") == std::vector<std::string>{"logprobs"});
}

TEST_CASE("dialects: a purpose that is none is refused with those there are", "[capture]") {
  CHECK(std::string(find_purpose("spec").name) == "spec");
  CHECK(find_purpose("cache").times == 2);
  CHECK(find_purpose("compare").top_logprobs == 20);
  CHECK(refused(VAA_ERROR_OPTION, [] { find_purpose("compere"); }) == "for: \"compere\" is no purpose; did you mean compare?; allowed are quality, compare, spec, cache");
}
