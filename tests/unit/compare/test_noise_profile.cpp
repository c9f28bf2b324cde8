#include <cmath>
#include <functional>

#include "base/failure.h"
#include "made_evidence.h"

using namespace vaa;

namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}
std::string refusal(const std::string& json) {
  try {
    read_noise(json);
  } catch (const Failure& failure) {
    CHECK(failure.status() == VAA_ERROR_FORMAT);
    return failure.message();
  }
  return "";
}
NoiseProfile made_noise(const NoiseLaw& law = {}) {
  std::mt19937_64 random(7);
  return noise_of(made_evidence(law, random));
}
int64_t sum(const NoiseProfile& n, int64_t DriftCluster::*of) {
  int64_t all = 0;
  for (const DriftCluster& d : n.drift) all += d.*of;
  return all;
}

}  // namespace

TEST_CASE("noise: what a second run of the reference shows", "[compare]") {
  std::mt19937_64 random(7);
  NoiseLaw law;
  law.repeats = 2;
  const TokenEvidence e = made_evidence(law, random);
  const NoiseProfile n = noise_of(e);
  CHECK(n.pairs == 128);
  CHECK_FALSE(n.identical);
  CHECK(n.drift.size() == 64);  // one a question
  CHECK(sum(n, &DriftCluster::n) == static_cast<int64_t>(e.rows.size()));
  CHECK(sum(n, &DriftCluster::other_top) == n.diverged);
  // Positions 100 to 611 stand in the buckets of 64, 128, 256 and 512.
  CHECK(n.by_position[6].n > 0);
  CHECK(n.by_position[5].n == 0);
  CHECK(n.by_position[10].n == 0);
  CHECK(n.by_position[6].n + n.by_position[7].n + n.by_position[8].n + n.by_position[9].n == static_cast<int64_t>(e.rows.size()));
  CHECK(n.tau == Approx(0.05 * 3.2905).epsilon(0.15));  // the 99.9 % quantile of |N(0, 0.05)|
  CHECK(n.list_size == 20);
  CHECK(n.first_other.n == 128);
}

TEST_CASE("noise: two runs without any difference are identical and measure nothing", "[compare]") {
  NoiseLaw law;
  law.sigma = 1e-12;
  std::mt19937_64 random(7);
  TokenEvidence e = made_evidence(law, random);
  e.rows.target_gap = e.rows.gap;
  e.rows.target_logprob = e.rows.reference_logprob;
  CHECK(noise_of(e).identical);
  e.rows.target_logprob[4] += 0.001F;
  CHECK_FALSE(noise_of(e).identical);
  CHECK_FALSE(noise_of({}).identical);
}

TEST_CASE("noise file: read again, it is the same to the last bit", "[compare]") {
  for (const bool lists : {true, false}) {
    NoiseLaw law;
    law.lists = lists;
    NoiseProfile n = made_noise(law);
    n.model = "toy \"8b\"";
    n.hardware = "other";
    const std::string json = noise_json(n);
    CHECK(noise_json(read_noise(json)) == json);
    CHECK(json.find("\"schema\": \"vaa.noise/1\"") == 1);
    CHECK(json.size() < 20000);
    const NoiseProfile again = read_noise(json);
    CHECK(again.model == n.model);
    CHECK(again.engine.empty());
    CHECK(std::isnan(again.tau) == !lists);
    CHECK(again.divergences.exits == n.divergences.exits);
    CHECK(again.by_position[7].kl == n.by_position[7].kl);
  }
}

TEST_CASE("noise file: what is wrong is named by its member", "[compare]") {
  const std::string json = noise_json(made_noise());
  CHECK(refusal("{").find("noise: ") == 0);
  CHECK(refusal("[]") == "noise: the document: must be an object, is an array");
  CHECK(refusal(replaced(json, "vaa.noise/1", "vaa.noise/2")) == "noise: schema: must be \"vaa.noise/1\"");
  CHECK(refusal(replaced(json, "\"pairs\": 64", "\"pairs\": -1")) == "noise: pairs: is -1, must be at least 0");
  CHECK(refusal(replaced(json, "\"pairs\": 64", "\"pairs\": 64.5")) == "noise: pairs: is 64.5, must be a whole number");
  CHECK(refusal(replaced(json, "\"pairs\": 64", "\"pairs\": 0")) == "noise: diverged: is " + std::to_string(made_noise().diverged) + ", must be at most pairs, 0");
  CHECK(refusal(replaced(json, "\"identical\": false", "\"identical\": 0")) == "noise: identical: must be true or false, is a number");
  CHECK(refusal(replaced(json, "\"pairs\": 64", "\"pairs\": 64, \"pairs\": 64")) == "noise: pairs: given twice");
  CHECK(refusal(replaced(json, "\"pairs\": 64", "\"pears\": 64")) == "noise: \"pears\": no member of vaa.noise/1");
  CHECK(refusal(replaced(json, "\"pairs\": 64", "\"pa\\nirs\": 64")) == "noise: \"pa\\nirs\": no member of vaa.noise/1");
  CHECK(refusal(replaced(json, "\"pairs\": 64, ", "")) == "noise: pairs: missing");
  CHECK(refusal(replaced(json, "\"entries\": [100", "\"entries\": [1000000")) == "noise: divergences.exits[0]: must be above its entry");
  CHECK(refusal(replaced(json, "\"events\": [", "\"events\": [2, ")) == "noise: divergences.events[0]: is 2, must be from 0 to 1");
  CHECK(refusal(replaced(json, "\"events\": [", "\"events\": [1, ")) == "noise: divergences.events: has 65 values, entries has 64");
  CHECK(refusal(replaced(json, "\"by_position\": {\"n\": [", "\"by_position\": {\"n\": [0, ")) == "noise: by_position.lists: has 32 values, n has 33");
  CHECK(refusal(replaced(json, "\"design\": 1", "\"design\": 0.5")).find(".design: is 0.5, must be at least 1") != std::string::npos);
  CHECK(refusal(replaced(json, "\"tau\": 0", "\"tau\": -0")) != "");
}

TEST_CASE("noise file: numbers that contradict one another are refused with member, value and what is allowed", "[compare]") {
  const NoiseProfile good = made_noise();
  REQUIRE(good.sigma.flips > 0);
  const auto fault = [&](const std::function<void(NoiseProfile*)>& change) {
    NoiseProfile n = good;
    change(&n);
    return refusal(noise_json(n));
  };
  CHECK(fault([](NoiseProfile* n) { n->pairs += 1; }) == "");
  const std::string flips = std::to_string(good.sigma.flips);
  CHECK(fault([](NoiseProfile* n) { n->sigma.sigma = 0; }) == "noise: sigma.sigma: is 0, must be above 0 where flips are " + flips);
  CHECK(fault([](NoiseProfile* n) { n->sigma.sigma = std::nan(""); }).find("noise: sigma.sigma: is null, must be above 0") == 0);
  CHECK(fault([](NoiseProfile* n) { n->sigma.sigma = 1e308; }).find("noise: sigma.sigma: is 1e+308, must be at most 1000000 nats") == 0);
  CHECK(fault([](NoiseProfile* n) { n->sigma.sigma = 2 * n->sigma.sure.high; }).find(", must be within sure, ") != std::string::npos);
  CHECK(fault([](NoiseProfile* n) { n->sigma.error = std::nan(""); }) == "noise: sigma.error: is null, must be above 0 beside this sigma");
  CHECK(fault([](NoiseProfile* n) { n->sigma.flips = n->sigma.tokens + 1; }).find("must be at most tokens, ") != std::string::npos);
  CHECK(fault([](NoiseProfile* n) { n->sigma.questions = 0; }).find("noise: sigma.questions: is 0, must be from 1 to tokens") == 0);
  CHECK(fault([](NoiseProfile* n) { n->sigma.flips = 0; }).find("must be 0 or null where no token flipped") != std::string::npos);
  CHECK(fault([](NoiseProfile* n) { n->tau = 1e308; }) == "noise: tau: is 1e+308, must be at most 1000000 nats, or null");
  CHECK(fault([](NoiseProfile* n) { n->tau = HUGE_VAL; }) == "noise: tau: is inf, must be at most 1000000 nats, or null");
  CHECK(fault([](NoiseProfile* n) { n->suspects.k = n->suspects.n + 1; }).find("noise: suspects.k: is ") == 0);
  CHECK(fault([](NoiseProfile* n) { n->suspects.n = n->diverged + 1; }).find(", must be at most diverged, ") != std::string::npos);
  CHECK(fault([](NoiseProfile* n) { n->first_other.n = n->pairs + 1; }) == "noise: first_other.n: is 65, must be at most pairs, 64");
  CHECK(fault([](NoiseProfile* n) { n->first_suspects.k = n->first_other.k + 1, n->first_suspects.n = 64; }).find("must be at most first_other.k") != std::string::npos);
  CHECK(fault([](NoiseProfile* n) { n->diverged = 0, n->suspects = {}; }).find("noise: divergences.events: is ") == 0);
  CHECK(fault([](NoiseProfile* n) { n->identical = true; }).find(", must be 0 where identical is true") != std::string::npos);
  CHECK(fault([](NoiseProfile* n) { n->drift[3].square = 1e9; }).find("noise: drift[3].square: is 1000000000, must be from ") == 0);
  CHECK(fault([](NoiseProfile* n) { n->drift[3].absolute = 1e300; }).find("noise: drift[3].absolute: is 1e+300, must be at most 1000000 nats a position") == 0);
  CHECK(fault([](NoiseProfile* n) { n->by_position[20].lists = 1 << 30; }).find("noise: by_position.lists: is ") == 0);
  CHECK(fault([](NoiseProfile* n) { n->kl_99 = 2 * n->kl_999; }).find("must be at most kl_999") != std::string::npos);
}

TEST_CASE("noise file: what is measured can be read again, also where little or nothing was", "[compare]") {
  CHECK(refusal(noise_json(noise_of({}))) == "");
  for (const double sigma : {1e-12, 1e-3, 0.05, 2.0, 50.0}) {
    for (const int tokens : {1, 3, 512}) {
      NoiseLaw law;
      law.sigma = sigma, law.tokens = tokens, law.questions = 5;
      CHECK(refusal(noise_json(made_noise(law))) == "");
    }
  }
  TokenEvidence ties;  // all gaps are 0, half of them flip
  for (int i = 0; i < 4; ++i) {
    TokenPair p;
    p.question = i, p.greedy = true, p.reference_tokens = p.target_tokens = 1, p.rows = 1, p.first_row = i, p.start = 3;
    if (i % 2) p.first_divergence = 0;
    ties.pairs.push_back(p);
    for (auto* column : {&ties.rows.gap, &ties.rows.target_gap, &ties.rows.reference_logprob, &ties.rows.target_logprob, &ties.rows.kl, &ties.rows.kl_rest}) column->push_back(0);
    ties.rows.flip.push_back(i % 2);
  }
  CHECK(refusal(noise_json(noise_of(ties))) == "");
}

TEST_CASE("noise file: noise of another model, engine, mode or list is refused by name", "[compare]") {
  Sides sides;
  sides.reference.header = R"({"schema": "vaa.run/1", "model": {"name": "toy"}, "engine": {"name": "vllm", "version": "0.9.1"}, "hardware": {"name": "a"}, "logprobs_mode": "raw_logprobs"})";
  NoiseProfile n = made_noise();
  CHECK(noise_misfit(n, sides.reference, 20).empty());  // what is not recorded refuses nothing
  n.model = "toy", n.engine = "vllm 0.9.1", n.hardware = "a", n.logprobs_mode = "raw_logprobs";
  CHECK(noise_misfit(n, sides.reference, 20).empty());
  CHECK(noise_misfit(n, sides.reference, 5) == "list_size is 20 logprobs a token in the noise file, 5 in the runs");
  n.logprobs_mode = "processed_logprobs";
  CHECK(noise_misfit(n, sides.reference, 20) == "logprobs_mode is processed_logprobs in the noise file, raw_logprobs in the reference");
  n.engine = "vllm 0.9.2";
  CHECK(noise_misfit(n, sides.reference, 20) == "engine is vllm 0.9.2 in the noise file, vllm 0.9.1 in the reference");
  n.model = "other";
  CHECK(noise_misfit(n, sides.reference, 20) == "model is other in the noise file, toy in the reference");
}
