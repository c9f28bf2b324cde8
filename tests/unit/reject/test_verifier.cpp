// The verifier's insides: passes over rows on each instruction set, recovery against plain lines, and what a step allocates.
#include <cmath>
#include <random>

#include "../counted_allocations.h"
#include "base/failure.h"
#include "catch.h"
#include "reject/verifier/row_passes.h"
#include "reject/verifier/verifier.h"

using namespace vaa;

namespace {

std::vector<float> random_row(std::mt19937* source, size_t size) {
  std::vector<float> row(size);
  double sum = 0;
  for (float& x : row) sum += static_cast<double>(x = (*source)() % 3 == 0 ? 0 : static_cast<float>((*source)() % 10000 + 1));
  for (float& x : row) x = static_cast<float>(static_cast<double>(x) / sum);
  return row;
}

// argmax of max(scale p - q, 0) / e, of equals the first; -1 where all are 0.
int32_t plain_race(const Residual& residual, std::span<const float> noise) {
  double best = 0;
  int32_t id = -1;
  for (size_t i = 0; i < residual.p.size; ++i) {
    const bool out = std::find(residual.without.begin(), residual.without.end(), static_cast<int32_t>(i)) != residual.without.end();
    const double w = out ? 0 : residual.at(i), score = w / static_cast<double>(noise[i]);
    if (w > 0 && (id < 0 || score > best)) {
      best = score;
      id = static_cast<int32_t>(i);
    }
  }
  return id;
}

}  // namespace

TEST_CASE("row passes: sums and leasts are the same bits with every instruction set", "[verifier]") {
  std::mt19937 source(1);
  for (const size_t size : {1, 15, 16, 17, 1000, 4099}) {
    const std::vector<float> row = random_row(&source, size);
    const std::vector<double> wide(row.begin(), row.end());
    const RowSum base = sum_row(row.data(), size, RowIsa::kBase), best = sum_row(row.data(), size), doubles = sum_row(wide.data(), size, RowIsa::kBase);
    CHECK(base.sum == best.sum);
    CHECK(base.sum == doubles.sum);
    CHECK(base.sum == Approx(1).epsilon(1e-6));
    CHECK(base.least == 0);
  }
  std::vector<float> row(100, 0.01f);
  row[37] = -0.5f;
  CHECK(sum_row(row.data(), row.size()).least == -0.5);
  row[99] = NAN;
  CHECK(std::isnan(sum_row(row.data(), row.size()).sum));
}

TEST_CASE("recover: a race is that of plain lines, whatever is left out", "[verifier]") {
  std::mt19937 source(2);
  std::exponential_distribution<float> exponential;
  for (int turn = 0; turn < 300; ++turn) {
    const size_t size = 1 + source() % 300;
    const std::vector<float> p = random_row(&source, size), q = random_row(&source, size);
    std::vector<float> noise(size);
    for (float& e : noise) e = turn % 3 == 0 ? static_cast<float>(1 + source() % 4) : exponential(source);
    std::vector<int32_t> without;
    for (size_t i = 0; i < size; ++i)
      if (turn % 2 == 0 && source() % 9 == 0) without.push_back(static_cast<int32_t>(i));
    const Residual residual{ValueRow(std::span<const float>(p)), turn % 5 == 0 ? 0.7 : 1.0, turn % 4 < 2 ? ValueRow(std::span<const float>(q)) : ValueRow(), without};
    const Recovered got = recover(residual, {Recovery::kRace, noise, 1e-6, false, 0, 0});
    CHECK(got.id == plain_race(residual, noise));
    CHECK(got.empty == (got.id < 0));
  }
}

TEST_CASE("recover: ties go to the first id and are marked", "[verifier]") {
  const std::vector<float> p{0.25f, 0.5f, 0.25f}, ones(3, 1), gumbel(3, 0);
  const std::vector<int32_t> without{1};
  const Residual residual{ValueRow(std::span<const float>(p)), 1, {}, without};
  for (const auto& [rule, noise] : {std::pair(Recovery::kRace, std::span<const float>(ones)), {Recovery::kGumbel, std::span<const float>(gumbel)}}) {
    const Recovered got = recover(residual, {rule, noise, 1e-6, false, 0, 0});
    CHECK(got.id == 0);
    CHECK(got.near_tie);
  }
  for (const auto& [u, id, near] : {std::tuple(0.0f, 0, true), {0.25f, 0, false}, {0.5f, 2, true}, {0.75f, 2, false}, {1.0f, 2, false}}) {
    const std::vector<float> uniform{u};
    const Recovered got = recover(residual, {Recovery::kInverseCdf, uniform, 1e-6, false, 0, 0});
    INFO(u);
    CHECK(got.id == id);
    if (u != 0) CHECK(got.near_tie == near);
  }
  CHECK(recover({ValueRow(std::span<const float>(p)), 1, ValueRow(std::span<const float>(p)), {}}, {Recovery::kInverseCdf, ones, 1e-6, false, 0, 0}).empty);
}

TEST_CASE("verifier: after the first batch nothing is allocated", "[verifier]") {
  constexpr size_t kVocabulary = 700, kRequests = 4, kDrafts = 3, kRows = kRequests * (kDrafts + 1);
  std::mt19937 source(3);
  std::vector<float> target, draft_probs, logits(kRows * kVocabulary), noise(kRows * kVocabulary, 0.5f), uniform(kRequests, 0.5f);
  for (float& z : logits) z = static_cast<float>(source() % 2000) / 256;
  for (size_t row = 0; row < kRows; ++row) {
    const std::vector<float> p = random_row(&source, kVocabulary);
    target.insert(target.end(), p.begin(), p.end());
    if (row < kRequests * kDrafts) draft_probs.insert(draft_probs.end(), p.rbegin(), p.rend());
  }
  std::vector<int32_t> drafts, ids(kRequests * (kDrafts + 1)), accepted(kRequests), places(ids.size());
  std::vector<double> uniforms(kRows, 0.4), margins(ids.size());
  for (size_t i = 0; i < kRequests * kDrafts; ++i) drafts.push_back(static_cast<int32_t>(source() % kVocabulary));
  const std::vector<int64_t> cu{3, 6, 9, 12};
  for (const auto& [policy, options] : {std::pair(R"({"base": "vllm_v1", "layout": "flat_with_bonus"})", R"({"input": "probs", "draft_probs": "rows"})"),
                                        {R"({"base": "vllm_v1", "layout": "flat_with_bonus"})", R"({"temperature": 0.7, "top_k": 50, "top_p": 0.9})"},
                                        {R"({"base": "vllm_v2", "method": "block"})", R"({"input": "probs", "draft_probs": "rows"})"},
                                        {R"({"base": "vllm_v2", "method": "exact_match"})", R"({"temperature": 0.7})"},
                                        {R"({"base": "vllm_ascend_v1", "method": "entropy", "layout": "flat_with_bonus", "sampler": {"base": "vllm_v1"}})", R"({"temperature": 0.7})"},
                                        {R"({"base": "flashinfer", "layout": "flat_with_bonus", "empty_residual": "target"})", R"({"input": "probs", "draft_probs": "rows", "rounding": "fp32"})"},
                                        {"sglang_tree", R"({"input": "probs", "layout": "flat_with_bonus"})"},
                                        {R"({"base": "vllm_v1", "method": "multi_draft", "replacement": "with"})", R"({"input": "probs", "layout": "flat_with_bonus", "draft_probs": "rows"})"}}) {
    INFO(policy << " " << options);
    Verifier verifier{policy, options};
    const bool probs = std::string_view(options).find("probs\"") != std::string_view::npos, rows = std::string_view(options).find("rows") != std::string_view::npos;
    const bool one = verifier.policy().rule<Recovery>(PolicyRule::kRecovery) == Recovery::kInverseCdf, by_position = verifier.policy().rule<NoiseUnit>(PolicyRule::kNoise) == NoiseUnit::kPosition;
    DraftBatch batch;
    batch.drafts = drafts;
    batch.cu = cu;
    batch.target = {probs ? target.data() : logits.data(), kRows, kVocabulary, kVocabulary};
    if (rows) batch.draft_probs = {draft_probs.data(), kRequests * kDrafts, kVocabulary, kVocabulary};
    batch.uniforms = std::span<const double>(uniforms).first(std::string_view(policy) == "sglang_tree" ? kRows : drafts.size());
    batch.noise = one ? Matrix<const float>{uniform.data(), kRequests, 1, 1} : Matrix<const float>{noise.data(), by_position ? kRows : kRequests, kVocabulary, kVocabulary};
    const auto all = [&] {
      verifier.width_of(batch);
      verifier.run(batch, {ids, accepted, places, margins});
    };
    all();
    const size_t before = allocations;
    all();
    const size_t after = allocations;
    CHECK(after == before);
  }
}

TEST_CASE("verifier: a law's lengths and rows are shares", "[verifier]") {
  Verifier verifier(R"({"base": "vllm_ascend_v1", "method": "block_product"})", R"({"input": "probs"})");
  const std::vector<int32_t> drafts{0, 1, 0, 1};
  const std::vector<double> target{0.9, 0.1, 0.3, 0.7, 0.5, 0.5, 0.0, 1.0, 0.25, 0.75}, draft_probs{0.5, 0.5, 0.9, 0.1, 0.5, 0.5, 0.5, 0.5};
  std::vector<double> acceptance(4), lengths(5), emitted(10);
  verifier.law({drafts, {}, {target.data(), 5, 2, 2}, {draft_probs.data(), 4, 2, 2}}, {acceptance, lengths, {emitted.data(), 5, 2, 2}, {}});
  double sum = 0;
  for (const double share : lengths) {
    CHECK(share >= 0);
    sum += share;
  }
  CHECK(sum == Approx(1).margin(1e-12));
  for (size_t row = 0; row < 5; ++row) CHECK((emitted[2 * row] + emitted[2 * row + 1] == Approx(1).margin(1e-12) || emitted[2 * row] + emitted[2 * row + 1] == 0));
}
