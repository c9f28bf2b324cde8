// The stages one at a time, by hand-worked rows; tests/python/test_sampler.py has whole pipelines beside numpy.
#include <cmath>
#include <random>

#include "base/failure.h"
#include "catch.h"
#include "sampler/sampler.h"
#include "sampler/stages/stage.h"

using namespace vaa;

namespace {

using Ids = std::vector<int32_t>;

Ids kept_of(const char* engine, const std::string& options, const std::vector<float>& logits, const Ids& prompt = {}, const Ids& output = {}) {
  Sampler sampler(make_engine(engine, stage_names()), options);
  Ids history = prompt;
  history.insert(history.end(), output.begin(), output.end());
  const int64_t middle = static_cast<int64_t>(prompt.size()), spans[] = {0, middle, static_cast<int64_t>(history.size())};
  std::span<const int32_t> ids;
  std::span<const int64_t> ends;
  sampler.kept({{logits.data(), 1, logits.size(), logits.size()}, history, spans, {}}, &ids, &ends);
  return {ids.begin(), ids.end()};
}

std::vector<double> law_of(const char* engine, const std::string& options, const std::vector<float>& logits) {
  Sampler sampler(make_engine(engine, stage_names()), options);
  std::vector<double> out(logits.size());
  sampler.probs({{logits.data(), 1, logits.size(), logits.size()}, {}, {}, {}}, {out.data(), 1, out.size(), out.size()});
  return out;
}

}  // namespace

TEST_CASE("top_k: all ties at the k-th logit, or the lower ids", "[sampler]") {
  CHECK(kept_of("hf", R"({"top_k": 2})", {1, 2, 1, 0, 1}) == Ids{0, 1, 2, 4});
  CHECK(kept_of("llama_cpp", R"({"top_k": 2})", {1, 2, 1, 0, 1}) == Ids{0, 1});
  CHECK(kept_of("llama_cpp", R"({"top_k": 3})", {1, 2, 1, 0, 1}) == Ids{0, 1, 2});
}

TEST_CASE("top_k: the k-th of a long row is that of a sort", "[sampler]") {
  std::mt19937 source(1);
  std::vector<float> z(20000);
  for (float& x : z) x = static_cast<float>(source() % 4000) / 64;
  std::vector<float> sorted = z;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  for (const size_t k : {size_t{1}, size_t{2}, size_t{50}, size_t{1000}, size_t{9000}, size_t{19999}}) {
    Ids want;
    for (size_t i = 0; i < z.size(); ++i)
      if (z[i] >= sorted[k - 1]) want.push_back(static_cast<int32_t>(i));
    CHECK(kept_of("hf", "{\"top_k\": " + std::to_string(k) + "}", z) == want);
  }
}

TEST_CASE("top_p: equality drops the token or keeps it", "[sampler]") {
  const std::vector<float> law{0.5f, 0.25f, 0.1875f, 0.0625f};
  CHECK(kept_of("hf", R"({"input": "probs", "top_p": 0.75})", law) == Ids{0, 1});
  CHECK(kept_of("sglang_torch", R"({"input": "probs", "top_p": 0.75})", law) == Ids{0, 1, 2});
  CHECK(kept_of("hf", R"({"input": "probs", "top_p": 1e-300})", law) == Ids{0});
}

TEST_CASE("top_p: of equals at the boundary the lower ids, the higher ones, or all stay", "[sampler]") {
  const std::vector<float> row{0, 0, 0, 0};
  CHECK(kept_of("sglang_torch", R"({"top_p": 0.4})", row) == Ids{0, 1});
  CHECK(kept_of("vllm_v1", R"({"top_p": 0.4})", row) == Ids{2, 3});
  CHECK(kept_of("sglang", R"({"top_p": 0.4})", row) == Ids{0, 1, 2, 3});
}

TEST_CASE("typical_p: the nearest to the entropy, until their mass exceeds it", "[sampler]") {
  // H of (0.5, 0.25, 0.125, 0.125) is 1.75 log 2; |-log p - H| / log 2 is 0.75, 0.25, 1.25, 1.25.
  const std::vector<float> law{0.5f, 0.25f, 0.125f, 0.125f};
  CHECK(kept_of("llama_cpp", R"({"input": "probs", "typical_p": 0.2})", law) == Ids{1});
  CHECK(kept_of("llama_cpp", R"({"input": "probs", "typical_p": 0.3})", law) == Ids{0, 1});
  CHECK(kept_of("llama_cpp", R"({"input": "probs", "typical_p": 0.8})", law) == Ids{0, 1, 2});
}

TEST_CASE("penalties: the last n ids are counted over prompt and output", "[sampler]") {
  const std::vector<float> row{3, 2.5f, 0};
  CHECK(kept_of("llama_cpp", R"({"greedy": 1, "presence_penalty": 1, "penalty_last_n": 2})", row, {0}, {2, 2}) == Ids{0});
  CHECK(kept_of("llama_cpp", R"({"greedy": 1, "presence_penalty": 1, "penalty_last_n": 3})", row, {0}, {2, 2}) == Ids{1});
  CHECK(kept_of("llama_cpp", R"({"greedy": 1, "presence_penalty": 1, "penalty_last_n": -1})", row, {0}, {2, 2}) == Ids{1});
  CHECK(kept_of("llama_cpp", R"({"greedy": 1, "presence_penalty": 1, "penalty_last_n": 0})", row, {0}, {2, 2}) == Ids{0});
}

TEST_CASE("penalties: z times 1/r is another float than z over r", "[sampler]") {
  // Expected by the compiler's own float arithmetic.
  int different = 0;
  for (int i = 1; i < 200; ++i) {
    const float z = static_cast<float>(i) / 8, r = 1.3f, divided = z / r, reciprocal = z * (1 / r);
    different += divided != reciprocal;
    for (const auto& [engine, want] : {std::pair("vllm_v1", divided), std::pair("vllm_ascend", reciprocal)}) {
      Sampler sampler(make_engine(engine, stage_names()), R"({"repetition_penalty": 1.3, "rounding": "fp32"})");
      const float logits[] = {z, -100};
      const int32_t history[] = {0}, token[] = {0};
      const int64_t spans[] = {0, 0, 1};
      double value[1];
      int64_t rank[1];
      sampler.logprobs({{logits, 1, 2, 2}, history, spans, {}}, token, LogprobsMode::kProcessedLogits, value, rank);
      CHECK(value[0] == static_cast<double>(want));
    }
  }
  CHECK(different > 10);
}

TEST_CASE("joint top_k and top_p: the law is that of what is left, also where rounding turns top_p off", "[sampler]") {
  for (const char* rounding : {"exact", "fp32", "bf16"}) {
    const std::vector<double> law = law_of("sglang_torch", std::string(R"({"top_k": 2, "top_p": 0.9999, "rounding": ")") + rounding + "\"}", {0, 0, 0, 0});
    CHECK(law == std::vector<double>{0.5, 0.5, 0, 0});
  }
}

TEST_CASE("temperature: what leaves the range of the numbers is gone, or refused", "[sampler]") {
  CHECK(law_of("sglang", R"({"temperature": 1e-6})", {1, 0}) == std::vector<double>{1, 0});
  CHECK(law_of("llama_cpp", R"({"temperature": 1e-300})", {0, -1e10f}) == std::vector<double>{1, 0});
  CHECK_THROWS_AS(law_of("llama_cpp", R"({"temperature": 1e-300})", {1e30f, 0}), Failure);
  CHECK(law_of("llama_cpp", R"({"temperature": 1e30})", {5, 0}) == std::vector<double>{0.5, 0.5});
}

TEST_CASE("sampler: the first faulty row is told, for any number of threads", "[sampler][threads]") {
  std::vector<float> logits(64 * 5, 0.0f);
  for (const size_t bad : {17, 18, 40, 63}) logits[bad * 5 + 2] = NAN;
  std::vector<double> out(logits.size());
  for (const char* threads : {"1", "2", "3", "64", "100"}) {
    Sampler sampler(make_engine("vllm_v1", stage_names()), std::string("{\"threads\": ") + threads + "}");
    try {
      sampler.probs({{logits.data(), 64, 5, 5}, {}, {}, {}}, {out.data(), 64, 5, 5});
      FAIL("no fault");
    } catch (const Failure& failure) {
      CHECK(std::string(failure.what()).find("row 17: logit of id 2 is NaN") == 0);
    }
  }
}
