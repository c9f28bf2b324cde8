#include "align/effective.h"
#include "base/failure.h"
#include "catch.h"

using namespace vaa;

namespace {

Effective effective(const std::string& json) { return effective_parameters(read_setup(json, "setup"), "setup"); }
std::string value(const Effective& e, std::string_view field) { return e.field(field).value.text; }
std::string triple(const std::string& json) {
  const Effective e = effective(json);
  return value(e, "temperature") + " " + value(e, "top_k") + " " + value(e, "top_p");
}
std::string message(const std::string& json) {
  try {
    effective(json);
  } catch (const Failure& fault) {
    return fault.what();
  }
  return "";
}

}  // namespace

// The cases of vector S12 (sampling.json), which were worked out from the sources by hand.
TEST_CASE("effective parameters: generation_config.json as vLLM reads it, with and without, and as transformers does", "[align]") {
  struct Case {
    std::string file, vllm, neutral, hf;
  };
  const Case cases[] = {{R"({"do_sample": true, "temperature": 0.6, "top_k": 20, "top_p": 0.95})", "0.6 20 0.95", "1 0 1", "0.6 20 0.95"},
                        {R"({"do_sample": false})", "1 0 1", "1 0 1", "greedy"},
                        {R"({"do_sample": true, "top_k": 50})", "1 0 1", "1 0 1", "1 50 1"}};
  for (const Case& c : cases) {
    CHECK(triple(R"({"engine": "vllm", "generation_config": )" + c.file + "}") == c.vllm);
    CHECK(triple(R"({"engine": "vllm", "launch": "vllm serve m --generation-config vllm", "generation_config": )" + c.file + "}") == c.neutral);
    const Effective hf = effective(R"({"engine": "hf", "generation_config": )" + c.file + "}");
    CHECK((value(hf, "greedy") == "true" ? "greedy" : value(hf, "temperature") + " " + value(hf, "top_k") + " " + value(hf, "top_p")) == c.hf);
  }
}

TEST_CASE("effective parameters: a request beats the launch's override, which beats the file", "[align]") {
  const std::string head = R"({"engine": "vllm", "generation_config": {"temperature": 0.6, "min_p": 0.1}, "launch": ["vllm", "serve", "--override-generation-config={\"temperature\": 0.7}"])";
  CHECK(value(effective(head + "}"), "temperature") == "0.7");
  CHECK(effective(head + "}").field("temperature").from == "--override-generation-config");
  CHECK(value(effective(head + "}"), "min_p") == "0.1");
  CHECK(value(effective(head + R"(, "request": {"temperature": 0.3}})"), "temperature") == "0.3");
  CHECK(value(effective(head + R"(, "request": {"temperature": null}})"), "temperature") == "0.7");
}

TEST_CASE("effective parameters: a file that is not given leaves unknown what it could say", "[align]") {
  const Effective e = effective(R"({"engine": "vllm", "request": {"top_p": 0.9}})");
  CHECK(value(e, "top_p") == "0.9");
  CHECK(value(e, "temperature").empty());
  CHECK(value(e, "greedy").empty());
  CHECK(e.field("temperature").from == "generation_config.json of the model is not given");
  CHECK(value(effective(R"({"engine": "vllm", "generation_config": null})"), "temperature") == "1");
  CHECK(value(effective(R"({"engine": "vllm", "launch": "vllm serve --generation-config=vllm"})"), "temperature") == "1");
}

TEST_CASE("effective parameters: how many tokens an answer may have", "[align]") {
  CHECK(value(effective(R"({"engine": "vllm", "generation_config": null, "entry": "completions"})"), "max_tokens") == "16");
  CHECK(value(effective(R"({"engine": "vllm", "generation_config": null})"), "max_tokens") == "rest of the context");
  CHECK(value(effective(R"({"engine": "sglang", "entry": "offline"})"), "max_tokens") == "128");
  CHECK(value(effective(R"({"engine": "llama_cpp", "request": {"n_predict": -1}})"), "max_tokens") == "no limit");
  // max_new_tokens of the file is a ceiling on what a request may have.
  CHECK(value(effective(R"({"engine": "vllm", "generation_config": {"max_new_tokens": 2048}, "request": {"max_tokens": 32768}})"), "max_tokens") == "2048");
  CHECK(value(effective(R"({"engine": "vllm", "generation_config": {"max_new_tokens": 2048}, "request": {"max_completion_tokens": 100}})"), "max_tokens") == "100");
}

TEST_CASE("effective parameters: which temperatures are greedy, and what an engine makes of small ones", "[align]") {
  const auto at = [](const char* engine, const char* t) { return effective(std::string(R"({"generation_config": null, "engine": ")") + engine + R"(", "request": {"temperature": )" + t + "}}"); };
  CHECK(value(at("vllm", "0"), "greedy") == "true");
  CHECK(value(at("vllm", "1e-9"), "greedy") == "false");
  CHECK(value(at("vllm", "1e-9"), "temperature") == "0.01");
  CHECK(at("vllm", "1e-9").field("temperature").asked == "1e-09");
  CHECK(value(at("sglang", "1e-7"), "greedy") == "true");
  CHECK(value(at("llama_cpp", "-1"), "greedy") == "true");
  CHECK(value(effective(R"({"engine": "trtllm"})"), "greedy") == "true");
  CHECK(value(effective(R"({"engine": "trtllm", "request": {"top_p": 0.9}})"), "greedy") == "false");
}

TEST_CASE("effective parameters: llama.cpp's flags are defaults of requests", "[align]") {
  const Effective e = effective(R"({"engine": "llama_cpp", "launch": "llama-server -m x.gguf --temp 0.3 --top-k 0 -s 7"})");
  CHECK(value(e, "temperature") == "0.3");
  CHECK(value(e, "top_k") == "0");
  CHECK(value(e, "seed") == "7");
  CHECK(value(e, "min_p") == "0.05");
  CHECK(e.field("temperature").from == "launch: --temp");
}

TEST_CASE("effective parameters: seeds are exact over 64 bits", "[align]") {
  CHECK(value(effective(R"({"engine": "vllm", "generation_config": null, "request": {"seed": 9223372036854775807}})"), "seed") == "9223372036854775807");
  CHECK(value(effective(R"({"engine": "vllm", "generation_config": null, "request": {"seed": -1}})"), "seed") == "none");
}

TEST_CASE("effective parameters: an engine of one's own, by its rules", "[align]") {
  const Effective e = effective(R"({"engine": {"like": "vllm", "title": "Mine", "entries": {"chat": {"temperature": 0.9}}}, "generation_config": null})");
  CHECK(value(e, "temperature") == "0.9");
  CHECK(value(e, "top_k") == "0");
  CHECK(e.field("temperature").from == "Mine default");
}

TEST_CASE("effective parameters: what does not fit is named", "[align]") {
  CHECK(message("{}") == "setup: engine: is missing; name one, such as \"vllm\", or give its rules");
  CHECK(message(R"({"engine": "vlm"})").find("\"vlm\" is not known; did you mean vllm?") != std::string::npos);
  CHECK(message(R"({"engine": "hf", "entry": "chat"})").find("has offline") != std::string::npos);
  CHECK(message(R"({"engine": "vllm", "tempreature": 1})").find("tempreature: is not known") != std::string::npos);
  CHECK(message(R"({"engine": {"greedy": "never"}})").find("must be one of") != std::string::npos);
  CHECK(message(R"({"engine": "vllm")").find("is no JSON") != std::string::npos);
  CHECK(message(R"({"engine": "vllm", "launch": "vllm serve --override-generation-config={oops}"})").find("--override-generation-config") != std::string::npos);
}

TEST_CASE("launch scripts: the command that starts an engine, as a shell would part it", "[align]") {
  const Setup a = setup_of_script("#!/bin/sh\nexport X=1\n# vllm serve old\nnohup /opt/bin/vllm serve \"/data/my model\" \\\n  --generation-config 'vllm' --seed=3 > log 2>&1 &\n");
  CHECK(a.engine == "vllm");
  CHECK(a.launch[2] == "/data/my model");
  std::string value;
  CHECK((launch_value(a.launch, "--generation-config", &value) && value == "vllm"));
  CHECK((launch_value(a.launch, "--seed", &value) && value == "3"));
  CHECK(!launch_value(a.launch, "--see", &value));
  CHECK(setup_of_script("python3 -m sglang.launch_server --model-path m").engine == "sglang");
  CHECK(setup_of_script("python -m vllm.entrypoints.openai.api_server").engine == "vllm");
  CHECK_THROWS_AS(setup_of_script("echo hello"), Failure);
  CHECK_THROWS_AS(setup_of_script("'unterminated"), Failure);
}

TEST_CASE("setups: written and read again they are the same", "[align]") {
  const std::string json = setup_json(read_setup(R"({"engine": "vllm", "entry": "completions", "launch": ["vllm", "serve"], "generation_config": {"top_k": 20, "do_sample": true}, "request": {"seed": 18446744073709551615}})", "setup"));
  CHECK(setup_json(read_setup(json, "setup")) == json);
  CHECK(json.find("18446744073709551615") != std::string::npos);
}
