// Where draws fall in their law, and what seeds do: laws that are known by hand.
#include <cmath>
#include <vector>

#include "base/random.h"
#include "catch.h"
#include "sampler/calibration/draw_values.h"
#include "sampler/calibration/seed_pairs.h"

using namespace vaa::sampler;

namespace {

// Tokens of probability 1/2, 1/3, 1/6 at temperature 1; drawn by these shares instead.
std::vector<double> places(double first, double second) {
  TemperatureFit fit;
  vaa::Random random(3);
  const std::vector<double> logprobs{std::log(0.5), std::log(1.0 / 3), std::log(1.0 / 6)};
  for (int i = 0; i < 20000; ++i) {
    const double u = random.uniform();
    fit.add(logprobs, u < first ? 0 : u < first + second ? 1 : 2, static_cast<uint64_t>(i));
  }
  return draw_values(fit, 1, 7);
}

DrawnAnswer answer(uint64_t seed, std::vector<int32_t> ids) {
  const size_t n = ids.size();
  return {seed, std::move(ids), std::vector<float>(n, -1), std::vector<float>(n, 0.5F)};
}

}  // namespace

TEST_CASE("draw values: uniform where tokens are drawn by their law", "[calibrate]") {
  const Uniformity u = uniformity(places(0.5, 1.0 / 3));
  CHECK(u.n == 20000);
  CHECK(u.distance < 1.63 / std::sqrt(20000.0));  // 99 % point of the limit law
  CHECK(u.p_chi_square > 0.001);
  CHECK(u.p_beyond(0.02) == 1);
}

TEST_CASE("draw values: a head drawn ten points too often is ten points from uniform", "[calibrate]") {
  const Uniformity u = uniformity(places(0.6, 0.7 / 3));
  CHECK(u.distance == Approx(0.1).margin(0.01));
  CHECK(u.p_beyond(0.02) < 1e-20);
  CHECK(u.reach == Approx(std::sqrt(std::log(40.0) / 40000)));
}

TEST_CASE("draw values: positions that are sure say nothing", "[calibrate]") {
  TemperatureFit fit;
  fit.add(std::vector<double>{-0.001, -7}, 0, 1);
  CHECK(draw_values(fit, 1, 0).empty());
}

TEST_CASE("seed pairs: where answers part, and how often independent ones would", "[calibrate]") {
  SeedPairs pairs;
  CHECK(pairs.add("a", answer(1, {1, 2, 3, 4})).empty());
  const auto partings = pairs.add("a", answer(1, {1, 2, 9}));
  REQUIRE(partings.size() == 1);
  CHECK(partings[0].at == 2);
  CHECK(partings[0].other == 3);
  CHECK(pairs.one_seed.parted == 1);
  CHECK(pairs.one_seed.due == Approx(1.5));
  pairs.add("a", answer(2, {1, 2, 3, 4}));
  CHECK(pairs.other_seeds.same == 1);
  CHECK(pairs.other_seeds.same_due == Approx(std::exp(-4.0)));
  pairs.add("a", answer(0, {1, 2}));
  CHECK(pairs.unrecorded.pairs == 1);
  CHECK(pairs.unrecorded.same == 0);
}
