#include "stats/flip_test.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/exact_sum.h"
#include "base/math.h"
#include "stats/arguments.h"
#include "stats/distributions.h"
#include "stats/solve.h"

namespace vaa::stats {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Nats; a smaller gap is none, so that the search for sigma ends.
constexpr double kLeastGap = 1e-30;
constexpr double kSqrtTwoOverPi = 0.79788456080286535588;

// log P(Z <= x), its derivative (density over probability) and its second derivative.
struct LogCdf {
  double value, slope, curvature;
};
LogCdf log_normal_cdf(double x) {
  const double scaled = math::erfc_scaled(std::fabs(x) * math::kSqrtHalf);
  if (x < 0) {
    const double rate = kSqrtTwoOverPi / scaled;
    return {math::log(0.5 * scaled) - 0.5 * x * x, rate, -rate * (x + rate)};
  }
  const double power = math::exp_minus_half_square(x), tail = 0.5 * power * scaled;
  const double rate = 0.5 * kSqrtTwoOverPi * power / (1 - tail);
  return {math::log1p(-tail), rate, rate == 0 ? 0 : -rate * (x + rate)};
}

HazardTest test_of(double expected, double variance, double distance) {
  HazardTest result;
  result.expected = expected;
  result.variance = variance;
  if (variance > 0) {
    result.z = distance / std::sqrt(variance);
  } else {
    result.z = distance == 0 ? 0 : std::copysign(kInfinity, distance);
  }
  result.p_upper = normal_tail(result.z);
  result.p_two_sided = normal_two_sided(result.z);
  return result;
}

// The gaps with their flips as a function of u = 1 / sigma, in which the log-likelihood is concave: token i contributes log P(Z <= gap u) where it agreed,
// and log P(Z <= -gap u) where it flipped.
class FlipLikelihood {
 public:
  FlipLikelihood(const char* function, std::span<const double> gaps, std::span<const uint8_t> flips) : flips_(flips) {
    check_some(function, "gaps", gaps.size());
    check_same_size(function, "flips", flips.size(), gaps.size());
    check_flags(function, "flips", flips);
    for (size_t i = 0; i < gaps.size(); ++i) {
      if (!(gaps[i] >= 0 && gaps[i] <= kMostValue)) {
        check_least(function, element("gaps", i), gaps[i], 0);
        check_most(function, element("gaps", i), gaps[i], kMostValue);
      }
      gaps_.push_back(gaps[i] < kLeastGap ? 0 : gaps[i]);
      if (gaps_[i] > 0) (flips[i] ? flipped_ : agreed_).add(gaps_[i]);
    }
  }

  bool flat() const { return flipped_.count() + agreed_.count() == 0; }
  bool best_at_zero_noise() const { return flipped_.count() == 0; }
  bool best_at_infinite_noise() const { return flipped_.value() >= agreed_.value(); }  // the slope at u = 0 is not above 0
  double mean_gap() const { return (flipped_.value() + agreed_.value()) / static_cast<double>(flipped_.count() + agreed_.count()); }

  // At u, with the derivatives by u.
  LogCdf at(double u) const {
    ExactSum value, slope, curvature;
    for (size_t i = 0; i < gaps_.size(); ++i) {
      const double gap = flips_[i] ? -gaps_[i] : gaps_[i];
      const LogCdf term = log_normal_cdf(gap == 0 ? 0 : gap * u);
      value.add(term.value);
      slope.add(gap * term.slope);
      curvature.add(gap * gap * term.curvature);
    }
    return {value.value(), slope.value(), curvature.value()};
  }
  double value(double u) const { return at(u).value; }

  // The likeliest u; 0 and infinity are among them.
  double best() const {
    if (best_at_zero_noise()) return kInfinity;
    if (best_at_infinite_noise()) return 0;
    double low = 1 / mean_gap(), high = low;
    while (low > 0 && at(low).slope <= 0) low *= 0.5;
    if (low == 0) return 0;
    while (at(high).slope >= 0) high *= 2;
    const auto slope = [this](double u) {
      const LogCdf here = at(u);
      return Slope{here.slope, here.curvature};
    };
    return solve_crossing(slope, low, high);
  }

  // Where the value has fallen to `level` on the side of `best` that `factor` (2 or 1/2) leads to; the end of that side where it never does.
  double fallen_to(double level, double best, double factor) const {
    if (factor < 1 ? value(0) >= level : best == kInfinity) return factor < 1 ? 0 : kInfinity;
    double near = best > 0 && best < kInfinity ? best : 1 / mean_gap();
    double far = near;
    while (value(far) >= level) far *= factor;
    while (value(near) < level) near /= factor;
    const auto above_level = [&](double u) {
      const LogCdf here = at(u);
      return Slope{here.value - level, here.slope};
    };
    return solve_crossing(above_level, std::min(near, far), std::max(near, far));
  }

 private:
  std::vector<double> gaps_;
  std::span<const uint8_t> flips_;
  ExactSum flipped_, agreed_;  // of the gaps above 0
};

}  // namespace

HazardTest hazard_test(std::span<const double> hazards, int64_t observed) {
  check_some("hazard_test", "hazards", hazards.size());
  check_count("hazard_test", "observed", observed, 0, static_cast<int64_t>(hazards.size()));
  ExactSum expected, variance, distance;
  for (size_t i = 0; i < hazards.size(); ++i) {
    if (!(hazards[i] >= 0 && hazards[i] <= 1)) check_share("hazard_test", element("hazards", i), hazards[i]);
    expected.add(hazards[i]);
    variance.add(hazards[i] * (1 - hazards[i]));
    distance.add(-hazards[i]);
  }
  distance.add(static_cast<double>(observed));
  return test_of(expected.value(), variance.value(), distance.value());
}

HazardTest flip_test(std::span<const double> gaps, std::span<const uint8_t> flips, double sigma) {
  const FlipLikelihood checked("flip_test", gaps, flips);
  check_positive("flip_test", "sigma", sigma);
  ExactSum expected, variance, distance;
  for (size_t i = 0; i < gaps.size(); ++i) {
    const double hazard = normal_tail(gaps[i] / sigma);
    expected.add(hazard);
    variance.add(hazard * (1 - hazard));
    distance.add(-hazard);
    distance.add(flips[i]);
  }
  return test_of(expected.value(), variance.value(), distance.value());
}

double flip_log_likelihood(std::span<const double> gaps, std::span<const uint8_t> flips, double sigma) {
  const FlipLikelihood likelihood("flip_log_likelihood", gaps, flips);
  check_positive("flip_log_likelihood", "sigma", sigma);
  return likelihood.value(1 / sigma);
}

NoiseScale flip_sigma(std::span<const double> gaps, std::span<const uint8_t> flips, double confidence) {
  const FlipLikelihood likelihood("flip_sigma", gaps, flips);
  check_open_share("flip_sigma", "confidence", confidence);
  NoiseScale result;
  result.interval = {0, kInfinity};
  if (likelihood.flat()) {
    result.sigma = std::numeric_limits<double>::quiet_NaN();
    result.log_likelihood = likelihood.value(0);
    return result;
  }
  const double best = likelihood.best();
  result.sigma = 1 / best;
  result.log_likelihood = likelihood.value(best);
  const double z = normal_quantile(0.5 * (1 - confidence));
  const double level = result.log_likelihood - 0.5 * z * z;
  result.interval = {best == kInfinity ? 0 : 1 / likelihood.fallen_to(level, best, 2), 1 / likelihood.fallen_to(level, best, 0.5)};
  return result;
}

SigmaTest flip_sigma_test(std::span<const double> gaps, std::span<const uint8_t> flips, double sigma) {
  const FlipLikelihood likelihood("flip_sigma_test", gaps, flips);
  check_positive("flip_sigma_test", "sigma", sigma);
  SigmaTest result;
  result.log_likelihood = likelihood.value(1 / sigma);
  result.most = likelihood.flat() ? result.log_likelihood : likelihood.value(likelihood.best());
  result.chi2 = std::max(0.0, 2 * (result.most - result.log_likelihood));  // at the best sigma the difference is rounding
  result.p = normal_two_sided(std::sqrt(result.chi2));
  return result;
}

SigmaScore flip_sigma_score(std::span<const double> gaps, std::span<const uint8_t> flips, double sigma) {
  const FlipLikelihood likelihood("flip_sigma_score", gaps, flips);
  check_positive("flip_sigma_score", "sigma", sigma);
  const double u = 1 / sigma;
  const LogCdf here = likelihood.at(u);
  return {-u * here.slope, -u * here.slope - u * u * here.curvature};
}

}  // namespace vaa::stats
