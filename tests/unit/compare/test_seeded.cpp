#include "compare/comparison.h"
#include "made_evidence.h"
#include "report/document.h"

using namespace vaa;

namespace {

TokenEvidence keyed(const NoiseLaw& law, std::mt19937_64& random) {
  TokenEvidence e = made_evidence(law, random);
  for (TokenPair& p : e.pairs) p.greedy = false, p.keyed = true;
  return e;
}

// Every `step`-th pair parts at its fourth token, whatever the distributions say.
void draw_otherwise(TokenEvidence* e, int step) {
  for (size_t i = 0; i < e->pairs.size(); i += static_cast<size_t>(step)) {
    TokenPair& p = e->pairs[i];
    if (p.rows < 4) continue;
    p.first_divergence = 3;
    p.rows = 4;
  }
}

NoiseLaw of_sigma(double sigma, bool lists = true) {
  NoiseLaw law;
  law.sigma = sigma;
  law.lists = lists;
  return law;
}

}  // namespace

TEST_CASE("seeded: another sampler on the same distributions is a sampler mismatch", "[compare]") {
  std::mt19937_64 random(3);
  const NoiseProfile noise = noise_of(keyed(of_sigma(0.05), random));
  TokenEvidence e = keyed(of_sigma(0.05), random);
  draw_otherwise(&e, 2);
  const StepResult r = run_step("seeded", &e, &noise, "version");
  CHECK(r.p_beyond < 1e-4);
  CHECK(r.lower > r.margin);
  CHECK(std::string(r.kind) == "sampler_mismatch");
  CHECK(std::string(r.symptom) == "draws_differ");
  CHECK(r.words.en.find("; the recorded distributions account for at most ") != std::string::npos);
}

TEST_CASE("seeded: more noise parts answers too, and is told from another sampler by the lists", "[compare]") {
  std::mt19937_64 random(4);
  const NoiseProfile noise = noise_of(keyed(of_sigma(0.02), random)), of_ids = noise_of(keyed(of_sigma(0.02, false), random));
  const TokenEvidence e = keyed(of_sigma(0.1), random), ids = keyed(of_sigma(0.1, false), random);
  CHECK(std::string(run_step("seeded", &e, &noise).kind) == "numeric_drift");
  CHECK(run_step("seeded", &e, &noise).p_beyond < 1e-3);
  CHECK(std::string(run_step("seeded", &ids, &of_ids).kind) == "seeded_divergence");
  TokenEvidence mixed = keyed(of_sigma(0.1), random);
  mixed.reference.list_size = 5;  // bounds of lists of unequal length are not held against each other
  CHECK(std::string(run_step("seeded", &mixed, &noise).kind) == "seeded_divergence");
}

TEST_CASE("seeded: as often as the reference parts from itself is no finding", "[compare]") {
  std::mt19937_64 random(5);
  int fired = 0;
  for (int i = 0; i < 40; ++i) {
    const NoiseProfile noise = noise_of(keyed(of_sigma(0.05), random));
    const TokenEvidence e = keyed(of_sigma(0.05), random);
    const StepResult r = run_step("seeded", &e, &noise);
    CHECK(r.applies);
    fired += r.p_beyond < 0.05;
  }
  CHECK(fired <= 2);
}

TEST_CASE("seeded: without a reference against itself that varied nothing is judged, and it is said how to", "[compare]") {
  std::mt19937_64 random(6);
  TokenEvidence e = keyed(of_sigma(0.05), random);
  const StepResult alone = run_step("seeded", &e, nullptr);
  CHECK(alone.applies);
  CHECK(std::isnan(alone.p_beyond));
  CHECK(alone.needed.en == "--aa RUN: the reference once more");
  TokenEvidence same = e;
  for (TokenPair& p : same.pairs) p.first_divergence = -1;
  std::fill(same.rows.flip.begin(), same.rows.flip.end(), uint8_t{0});
  same.rows.target_gap = same.rows.gap;
  same.rows.target_logprob = same.rows.reference_logprob;
  const NoiseProfile identical = noise_of(same);
  CHECK(identical.identical);
  CHECK(run_step("seeded", &e, &identical).needed.en.find("vary what rounds otherwise") == 0);
  for (TokenPair& p : e.pairs) p.keyed = false;
  CHECK_FALSE(run_step("seeded", &e, nullptr).applies);
}

TEST_CASE("seeded: what the reference does to itself is kept in the noise file", "[compare]") {
  std::mt19937_64 random(7);
  const NoiseProfile noise = noise_of(keyed(of_sigma(0.05), random));
  CHECK(noise.seeded.exits.size() == 64);
  CHECK(noise.divergences.exits.empty());
  CHECK(read_noise(noise_json(noise)).seeded.exits == noise.seeded.exits);
}
