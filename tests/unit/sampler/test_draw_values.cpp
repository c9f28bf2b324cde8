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
  return {seed, std::move(ids), std::vector<float>(n, -1), std::vector<float>(n, 0.5F), {}};
}

// Two listed tokens, 1/2 and 1/2 less `moved`, and nothing else.
DrawLaws law_of(double moved, double unlisted = 0) {
  ListedRow row;
  row.ids = {4, 2};
  const double p = (1 - unlisted) * (0.5 + moved);
  row.logprobs = {std::log(p), std::log(1 - unlisted - p)};
  row.listed = 2;
  row.mass = 1 - unlisted;
  Law law;
  law.vocabulary = 10;
  DrawLaws laws;
  laws.add(row, law);
  return laws;
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

TEST_CASE("draw values: two samples of one law are no further apart than their bounds, and of two laws are", "[calibrate]") {
  CHECK(p_apart(places(0.5, 1.0 / 3), 1, places(0.5, 1.0 / 3), 1) == 1);
  CHECK(p_apart(places(0.5, 1.0 / 3), 1, places(0.6, 0.7 / 3), 1) < 1e-10);
  // 4 exp(-2 (d / (1 / sqrt n + 1 / sqrt m))^2) of n = 4, m = 9, d = 1: exp(-2.88)
  CHECK(p_apart({0.1, 0.2, 0.1, 0.2}, 1, std::vector<double>(9, 0.9), 1) == Approx(4 * std::exp(-2 * 1.44)));
  CHECK(p_apart({}, 1, {0.5}, 1) == 1);
}

TEST_CASE("draw values: draws that share their noise are worth as many as there are noises", "[calibrate]") {
  TemperatureFit fit;
  const std::vector<double> logprobs{std::log(0.5), std::log(0.5)};
  for (uint64_t i = 0; i < 60; ++i) fit.add(logprobs, i % 2, i, i < 40 ? 1 + i / 10 : 0);
  CHECK(fit.alike() == Approx((4 * 100 + 20) / 60.0));  // sum of squares of the sharing ones over their number
  const Uniformity u = uniformity(draw_values(fit, 1, 0), fit.alike());
  CHECK(u.n == 60);
  CHECK(u.worth == Approx(60 * 60 / 420.0));
  CHECK(u.reach == Approx(std::sqrt(std::log(40.0) / (2 * u.worth))));
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
  CHECK(pairs.one_seed.noise_due == Approx(0.75));  // no laws are kept: half of it
  pairs.add("a", answer(2, {1, 2, 3, 4}));
  CHECK(pairs.other_seeds.same == 1);
  CHECK(pairs.other_seeds.same_due == Approx(std::exp(-4.0)));
  pairs.add("a", answer(0, {1, 2}));
  CHECK(pairs.unrecorded.pairs == 1);
  CHECK(pairs.unrecorded.same == 0);
}

TEST_CASE("draw laws: a common draw parts no more often than the laws differ", "[calibrate]") {
  CHECK(DrawLaws::parting(law_of(0.1), law_of(0.1), 0) == Approx(0).margin(1e-5));
  CHECK(DrawLaws::parting(law_of(0.2), law_of(0.1), 0) == Approx(0.2 / 1.1).epsilon(1e-4));  // 2 d / (1 + d), d = 0.1
  CHECK(DrawLaws::parting(law_of(0.1, 0.2), law_of(0.1), 0) == Approx(0.2 / 1.1).epsilon(1e-4));  // half of 0.2 is open
  CHECK(DrawLaws::parting(law_of(0.01), law_of(-0.01), 0) == Approx(1));  // one number walks them likeliest first, and they change places
  DrawLaws unknown;
  unknown.add_unknown();
  CHECK(DrawLaws::parting(unknown, law_of(0.1), 0) == Approx(1));
}

TEST_CASE("seed pairs: equal laws leave noise nothing to part", "[calibrate]") {
  SeedPairs pairs;
  DrawnAnswer a = answer(1, {4}), b = answer(1, {2});
  a.laws = law_of(0), b.laws = law_of(0);
  pairs.add("a", std::move(a));
  pairs.add("a", std::move(b));
  CHECK(pairs.one_seed.parted == 1);
  CHECK(pairs.one_seed.due == Approx(0.5));
  CHECK(pairs.one_seed.noise_due == Approx(SeedPairs::kUnseen * 0.5).margin(1e-5));
}

TEST_CASE("seed pairs: a parting without a list says nothing", "[calibrate]") {
  SeedPairs pairs;
  DrawnAnswer a = answer(1, {4, 5}), b = answer(1, {4, 6});
  a.agree[1] = -1;
  pairs.add("a", std::move(a));
  CHECK(pairs.add("a", std::move(b)).empty());
  CHECK(pairs.one_seed.pairs == 1);
  CHECK(pairs.one_seed.parted == 0);
  CHECK(pairs.one_seed.due == Approx(0.5));
}
