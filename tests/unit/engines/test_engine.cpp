#include <string>

#include "base/failure.h"
#include "catch.h"
#include "engines/engine.h"
#include "engines/engine_data.h"

using namespace vaa;

namespace {

const std::vector<std::string_view> kStages{"allowed_ids", "bad_words", "min_tokens", "logit_bias", "penalties", "temperature", "top_k", "top_p", "min_p", "typical_p"};

std::string fault(const std::string& options) {
  try {
    make_engine(options, kStages);
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "";
}

}  // namespace

TEST_CASE("engine: every file of data is read, and its JSON gives it again", "[engines]") {
  REQUIRE(engine_data().size() >= 8);
  for (const EngineData& data : engine_data()) {
    const Engine engine = make_engine(data.name, kStages);
    CHECK(engine.name == data.name);
    CHECK_FALSE(engine.order.empty());
    CHECK(engine_json(make_engine(engine_json(engine), kStages)) == engine_json(engine));
  }
}

TEST_CASE("engine: rules of one's own stand over those of its base", "[engines]") {
  const Engine engine = make_engine(R"({"base": "vllm_v1", "top_k_ties": "exact", "greedy_below": 0.5})", kStages);
  CHECK(engine.name == "vllm_v1");
  CHECK(rule_value(engine, Rule::kTopKTies) == "exact");
  CHECK(rule_value(engine, Rule::kTopPTies) == "higher_ids");
  CHECK(engine.greedy_below == 0.5);
}

TEST_CASE("engine: without a base nothing is known but what is said", "[engines]") {
  const Engine engine = make_engine(R"({"order": ["top_k"], "top_k_ties": "all"})", kStages);
  for (size_t i = 0; i < kRules; ++i) CHECK((engine.rules[i] == kUnknownRule) == (static_cast<Rule>(i) != Rule::kTopKTies));
}

TEST_CASE("engine: temperatures are raised, greedy or refused as the engine has it", "[engines]") {
  // sampling.md 3.1, 3.4: vLLM raises 0 < T < 0.01; SGLang is greedy below 1e-6; transformers refuses 0.
  const Engine vllm = make_engine("vllm_v1", kStages), sglang = make_engine("sglang", kStages), hf = make_engine("hf", kStages);
  CHECK(resolve_temperature(vllm, 0).greedy);
  CHECK(resolve_temperature(vllm, 1e-9).temperature == 0.01);
  CHECK_FALSE(resolve_temperature(vllm, 1e-9).greedy);
  CHECK(resolve_temperature(vllm, 0.01).temperature == 0.01);
  CHECK(resolve_temperature(sglang, 0.9e-6).greedy);
  CHECK(resolve_temperature(sglang, 1e-6).temperature == 1e-6);
  CHECK_THROWS_AS(resolve_temperature(hf, 0), Failure);
  for (const double bad : {-1.0, -1e-300, 1e31, static_cast<double>(INFINITY), static_cast<double>(NAN)}) CHECK_THROWS_AS(resolve_temperature(vllm, bad), Failure);
}

TEST_CASE("engine: what is wrong is named, with what is allowed", "[engines]") {
  CHECK(fault("vllm_v9").find("\"vllm_v9\" is not known; did you mean vllm_v") != std::string::npos);
  CHECK(fault("").find("known: hf, llama_cpp, sglang") != std::string::npos);
  CHECK(fault(R"({"base": "x"})").find("\"x\" is not known") != std::string::npos);
  CHECK(fault(R"({"draw": "dice"})").find("draw") != std::string::npos);
  CHECK(fault(R"({"order": ["top_k", "top_q"]})").find("order[1]: \"top_q\" is no stage; known: allowed_ids") != std::string::npos);
  CHECK(fault(R"({"order": ["top_k", "top_k"]})").find("order[1]: \"top_k\" stands there twice") != std::string::npos);
  CHECK(fault(R"({"greedy_below": -1})").find("greedy_below") != std::string::npos);
  CHECK(fault("{").find("no JSON") != std::string::npos);
}
