#include "stats/sequential.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/failure.h"
#include "base/math.h"
#include "stats/arguments.h"
#include "stats/power.h"
#include "stats/solve.h"
#include "stats/tails.h"

namespace vaa::stats {
namespace {

// k of n under the mixture, a Beta(k + 1/2, n - k + 1/2) posterior, against a point.
struct Mixture {
  double k, rest, a, b;
  Mixture(int64_t successes, int64_t n)
      : k(static_cast<double>(successes)), rest(static_cast<double>(n - successes)), a(k + 0.5), b(rest + 0.5) {}

  // 1 / e at p: p^k (1 - p)^(n - k) B(1/2, 1/2) / B(a, b), B(1/2, 1/2) being pi.
  double inverse_e(double p) const { return math::kPi * beta_density_xy(a, b, p, 1 - p, beta_deviation(a, b, p)) / std::sqrt(p * (1 - p)); }
  // The size of its derivative.
  double slope(double p) const { return inverse_e(p) * std::fabs(k / p - rest / (1 - p)); }
};

}  // namespace

Sprt sprt(int64_t k, int64_t n, double p0, double p1, double alpha, double beta) {
  check_count("sprt", "n", n);
  check_count("sprt", "k", k, 0, n);
  check_open_share("sprt", "p0", p0);
  check_open_share("sprt", "p1", p1);
  if (!(p1 > p0)) check_below("sprt", "p0", p0, p1);
  check_open_share("sprt", "alpha", alpha);
  check_open_share("sprt", "beta", beta);
  if (!(alpha + beta < 1)) fail(VAA_ERROR_ARGUMENT, "sprt: alpha and beta leave nothing to show, their sum must be below 1");
  const double failure = p1 < 1.5 * p0 ? math::log1p((p1 - p0) / p0) : math::log(p1) - math::log(p0);
  const double clean = math::log1p(-(p1 - p0) / (1 - p0));
  Sprt result;
  result.log_ratio = static_cast<double>(k) * failure + static_cast<double>(n - k) * clean;
  result.low = math::log(beta / (1 - alpha));
  result.high = math::log((1 - beta) / alpha);
  result.decision = result.log_ratio <= result.low ? Decision::kLow : result.log_ratio >= result.high ? Decision::kHigh : Decision::kGoOn;
  if (result.decision == Decision::kGoOn) result.clean_runs = whole_need((result.low - result.log_ratio) / clean);
  return result;
}

EValue e_value(int64_t k, int64_t n, double p0) {
  check_count("e_value", "n", n);
  check_count("e_value", "k", k, 0, n);
  check_open_share("e_value", "p0", p0);
  const Mixture mixture(k, n);
  const double a = mixture.a, b = mixture.b;
  // Prior and posterior above p0; the posterior over its density too, since both may underflow where it is small.
  const double prior = beta_tails(0.5, 0.5, p0, 1 - p0, beta_deviation(0.5, 0.5, p0)).upper;
  const double inverse = mixture.inverse_e(p0), deviation = beta_deviation(a, b, p0);
  EValue result;
  result.e = 1 / inverse;
  result.p = std::min(1.0, inverse);
  const double above = deviation < 0 ? beta_outer_ratio(a, b, p0, 1 - p0, deviation) * std::sqrt(p0 * (1 - p0)) / math::kPi
                                     : beta_tails(a, b, p0, 1 - p0, deviation).upper / inverse;
  result.e_above = above / prior;
  result.p_above = std::min(1.0, prior / above);
  return result;
}

Interval confidence_sequence(int64_t k, int64_t n, double confidence) {
  check_count("confidence_sequence", "n", n);
  check_count("confidence_sequence", "k", k, 0, n);
  check_open_share("confidence_sequence", "confidence", confidence);
  if (n == 0) return {0, 1};
  const Mixture mixture(k, n);
  const double alpha = 1 - confidence, share = mixture.k / static_cast<double>(n), spread = std::sqrt((mixture.a / n) * (mixture.b / n) / n);
  Interval result;
  if (k > 0) {
    result.low = solve_positive([&](double p) { return mixture.inverse_e(p); }, [&](double p) { return mixture.slope(p); }, true, alpha,
                                std::max(share / 4, share - 3 * spread), share);
  }
  if (k < n) {
    // By the distance from the share, so that a limit near it keeps its digits.
    const auto value = [&](double distance) { return mixture.inverse_e(share + distance); };
    const auto slope = [&](double distance) { return mixture.slope(share + distance); };
    result.high = share + solve_positive(value, slope, false, alpha, std::min((1 - share) / 2, 3 * spread), 1 - share);
  }
  return result;
}

int64_t clean_runs_needed_anytime(double rate, double alpha) {
  check_open_share("clean_runs_needed_anytime", "rate", rate);
  check_open_share("clean_runs_needed_anytime", "alpha", alpha);
  // From its least value, near n = 1 / (2 rate), on e grows with n; before, it falls from 1.
  const auto enough = [&](int64_t n) { return Mixture(0, n).inverse_e(rate) <= alpha; };
  int64_t low = 0, high = 1;
  while (!enough(high)) {
    low = high;
    if (high == kMostCount) return kMostCount;
    high *= 2;
  }
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace vaa::stats
