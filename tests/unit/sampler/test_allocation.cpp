#include <random>

#include "../counted_allocations.h"
#include "catch.h"
#include "sampler/replay/replay.h"
#include "sampler/sampler.h"
#include "sampler/stages/stage.h"

using namespace vaa;

TEST_CASE("sampler: after the first rows nothing is allocated", "[sampler]") {
  constexpr size_t kVocabulary = 5000, kRows = 4;
  std::mt19937 source(1);
  std::vector<float> logits(kRows * kVocabulary);
  for (float& x : logits) x = static_cast<float>(source() % 2000) / 128;
  const std::vector<int32_t> history{1, 2, 3, 4, 4, 4999};
  const std::vector<int64_t> spans{0, 3, 6, 0, 3, 6, 0, 0, 6, 2, 2, 2};
  std::vector<double> params(kRows * kParams, NAN), noise(kRows * kVocabulary, 0.5), uniforms(kRows, 0.5), probs(logits.size()), values(kRows);
  std::vector<int32_t> ids(kRows), tokens{1, 2, 3, 4};
  std::vector<int64_t> ranks(kRows);
  for (const char* engine : {"vllm_v1", "vllm_v2", "sglang_torch", "vllm_ascend_torch", "llama_cpp"}) {
    for (const char* rounding : {"exact", "fp32", "bf16"}) {
      const bool typical = std::string_view(engine) == "llama_cpp";
      const std::string common = std::string("\"rounding\": \"") + rounding + R"(", "temperature": 0.7, "top_k": 3000, "top_p": 0.98, "min_p": 1e-6)";
      const std::string penalties = std::string_view(engine) == "sglang_torch" ? "" : R"(, "repetition_penalty": 1.2, "frequency_penalty": 0.1)";
      Sampler sampler(make_engine(engine, stage_names()), "{" + common + penalties + (typical ? ", \"typical_p\": 0.9" : "") + "}");
      const bool one = noise_size(sampler.pipeline().engine(), kVocabulary) == 1;
      const SamplerInput input{{logits.data(), kRows, kVocabulary, kVocabulary}, history, spans, {params.data(), kRows, kParams, kParams}};
      const auto all = [&] {
        std::span<const int32_t> kept;
        std::span<const int64_t> ends;
        sampler.probs(input, {probs.data(), kRows, kVocabulary, kVocabulary});
        sampler.kept(input, &kept, &ends);
        sampler.draw(input, one ? Matrix<const double>{uniforms.data(), kRows, 1, 1} : Matrix<const double>{noise.data(), kRows, kVocabulary, kVocabulary}, ids);
        sampler.logprobs(input, tokens, LogprobsMode::kRaw, values, ranks);
        sampler.logprobs(input, tokens, LogprobsMode::kProcessed, values, ranks);
      };
      all();
      const size_t before = allocations;
      all();
      const size_t after = allocations;
      INFO(engine << " " << rounding);
      CHECK(after == before);
    }
  }
}

TEST_CASE("replay: after the first rows those that are the same allocate nothing but the ids", "[sampler]") {
  constexpr size_t kVocabulary = 3000;
  std::mt19937 source(2);
  std::vector<float> logits(kVocabulary);
  for (float& x : logits) x = static_cast<float>(source() % 2000) / 128;
  for (const auto& [engine, noise] : {std::pair("vllm_v1", "torch_cpu"), {"vllm_v1", "torch_cuda"}, {"vllm_v2", "vllm_v2"}, {"llama_cpp", "llama_cpp"}}) {
    const std::string options = std::string("{\"generator\": \"") + noise + R"(", "seed": 7, "temperature": 0.8, "top_k": 50, "top_p": 0.9})";
    const Engine rules = make_engine(engine, stage_names());
    const auto tokens_of = [&](size_t rows) {  // by a replay whose rows depart: it says what it would have picked
      std::vector<int32_t> tokens;
      for (size_t i = 0; i < rows; ++i) {
        Replay again(rules, options);
        again.begin("", std::vector<int32_t>{1, 2});
        for (const int32_t token : tokens) again.push(logits, token, {});
        tokens.push_back(again.push(logits, 0, {}).token);
      }
      return tokens;
    };
    const std::vector<int32_t> tokens = tokens_of(15);
    Replay replay(rules, options);
    replay.begin("", std::vector<int32_t>{1, 2});
    for (size_t i = 0; i < 11; ++i) REQUIRE(replay.push(logits, tokens[i], {}).state == RowState::kSame);
    const size_t before = allocations;
    for (size_t i = 11; i < 15; ++i) replay.push(logits, tokens[i], {});  // the list of ids has room for 16
    const size_t after = allocations;
    INFO(engine << " " << noise);
    CHECK(after == before);
  }
}
