#include <cmath>

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
  CHECK(refusal(replaced(json, "\"pairs\": 64", "\"pairs\": -1")) == "noise: pairs: is -1, out of range");
  CHECK(refusal(replaced(json, "\"pairs\": 64", "\"pairs\": 64.5")) == "noise: pairs: must be a whole number");
  CHECK(refusal(replaced(json, "\"pairs\": 64", "\"pairs\": 0")) == "noise: diverged: is above pairs");
  CHECK(refusal(replaced(json, "\"identical\": false", "\"identical\": 0")) == "noise: identical: must be true or false, is a number");
  CHECK(refusal(replaced(json, "\"pairs\": 64", "\"pairs\": 64, \"pairs\": 64")) == "noise: pairs: given twice");
  CHECK(refusal(replaced(json, "\"pairs\": 64", "\"pears\": 64")) == "noise: \"pears\": no member of vaa.noise/1");
  CHECK(refusal(replaced(json, "\"pairs\": 64", "\"pa\\nirs\": 64")) == "noise: \"pa\\nirs\": no member of vaa.noise/1");
  CHECK(refusal(replaced(json, "\"pairs\": 64, ", "")) == "noise: pairs: missing");
  CHECK(refusal(replaced(json, "\"entries\": [100", "\"entries\": [1000000")) == "noise: divergences.exits[0]: must be above its entry");
  CHECK(refusal(replaced(json, "\"events\": [", "\"events\": [2, ")) == "noise: divergences.events[0]: is 2, out of range");
  CHECK(refusal(replaced(json, "\"events\": [", "\"events\": [1, ")) == "noise: divergences.events: has 65 values, entries has 64");
  CHECK(refusal(replaced(json, "\"by_position\": {\"n\": [", "\"by_position\": {\"n\": [0, ")) == "noise: by_position.lists: has 32 values, n has 33");
  CHECK(refusal(replaced(json, "\"design\": 1", "\"design\": 0.5")).find(".design: is 0.5, out of range") != std::string::npos);
  CHECK(refusal(replaced(json, "\"tau\": 0", "\"tau\": -0")) != "");
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
