#include <cmath>
#include <vector>

#include "catch.h"
#include "sampler/calibration/temperature_fit.h"

using namespace vaa;

// Two tokens of a gap g, the lesser drawn k times of n: T = g / log((n - k) / k) by hand.
TEST_CASE("temperature fit: two tokens give the temperature of their odds", "[sampler]") {
  sampler::TemperatureFit fit;
  const std::vector<double> list{-0.5, -1.5};
  for (int i = 0; i < 400; ++i) fit.add(list, i % 4 == 0, static_cast<uint64_t>(i));
  const auto found = fit.estimate(0.95);
  CHECK(found.temperature == Approx(1 / std::log(3.0)).epsilon(1e-9));
  CHECK(found.inflation == Approx(400.0 / 399).epsilon(1e-9));
  CHECK(found.low < found.temperature);
  CHECK(found.high > found.temperature);
}

TEST_CASE("temperature fit: answers whose draws are all alike are counted once each", "[sampler]") {
  sampler::TemperatureFit fit;
  const std::vector<double> list{0, -1};
  for (int i = 0; i < 400; ++i) fit.add(list, i / 10 % 4 == 0, static_cast<uint64_t>(i / 10));
  CHECK(fit.estimate(0.95).inflation == Approx(10 * 40.0 / 39).epsilon(1e-9));
}

TEST_CASE("temperature fit: the most probable token each time is temperature 0", "[sampler]") {
  sampler::TemperatureFit fit;
  for (int i = 0; i < 50; ++i) fit.add(std::vector<double>{0, -1, -2}, 0, static_cast<uint64_t>(i));
  const auto found = fit.estimate(0.95);
  CHECK(found.temperature == 0);
  CHECK(found.low == 0);
  CHECK(std::isfinite(found.high));
}

TEST_CASE("temperature fit: what is out of range is refused", "[sampler]") {
  sampler::TemperatureFit fit;
  CHECK_THROWS(fit.add(std::vector<double>{0, -1}, 2, 0));
  CHECK_THROWS(fit.add(std::vector<double>{0, -INFINITY}, 0, 0));
  fit.add(std::vector<double>{0, -1}, 0, 0);
  CHECK_THROWS(fit.estimate(0.95));
}
