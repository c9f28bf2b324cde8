#include "stats/distributions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/math.h"
#include "stats/arguments.h"
#include "stats/solve.h"
#include "stats/tails.h"

namespace vaa::stats {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double density(double x) { return math::exp_minus_half_square(x) * math::exp(-math::kLogSqrt2Pi); }

// P(Z > x) for x >= 0.
double upper_half(double x) { return 0.5 * math::exp_minus_half_square(x) * math::erfc_scaled(x * math::kSqrtHalf); }

// Where t > 0 lies in Beta(df / 2, 1/2), half of whose tail below x = df / (df + t^2) is P(T > t).
struct StudentPoint {
  double a, b, x, y, deviation;
  StudentPoint(double t, double df) : a(0.5 * df), b(0.5) {
    const double ratio = t / std::sqrt(df);
    const double square = std::min(ratio * ratio, 1e306);
    x = 1 / (1 + square);
    y = square / (1 + square);
    deviation = t < 1e100 ? 0.5 * (t * t - 1) * x : a * y;
  }
};

double student_upper_half(double t, double df) {
  const StudentPoint at(t, df);
  return 0.5 * beta_tails(at.a, at.b, at.x, at.y, at.deviation).lower;
}

double student_density(double t, double df) {
  const StudentPoint at(t, df);
  return beta_density_xy(at.a, at.b, at.x, at.y, at.deviation) / t;
}

// The tails at p of the beta distribution that has those of a binomial one: lower is P(X >= k), upper P(X < k), for 1 <= k <= n.
Tails binomial_tails(int64_t k, int64_t n, double p) {
  const double a = static_cast<double>(k), b = static_cast<double>(n - k + 1);
  return beta_tails(a, b, p, 1 - p, beta_deviation(a, b, p));
}

void check_binomial(const char* function, int64_t n, double p) {
  check_count(function, "n", n);
  check_share(function, "p", p);
}

}  // namespace

double normal_tail(double x) {
  check_number("normal_tail", "x", x);
  return x >= 0 ? upper_half(x) : 1 - upper_half(-x);
}

double normal_cdf(double x) {
  check_number("normal_cdf", "x", x);
  return x <= 0 ? upper_half(-x) : 1 - upper_half(x);
}

double normal_two_sided(double x) {
  check_number("normal_two_sided", "x", x);
  return std::min(1.0, 2 * upper_half(std::fabs(x)));
}

double normal_quantile(double p) {
  check_share("normal_quantile", "p", p);
  if (p == 0 || p == 1) return p == 0 ? -kInfinity : kInfinity;
  // In the middle, where p and the cdf would cancel, on erf; outside, on the logarithm of the smaller tail.
  const double middle = p - 0.5;
  if (std::fabs(middle) < 0.25) {
    double x = middle * 2.5066282746310005024;  // sqrt(2 pi)
    for (int i = 0; i < 6; ++i) {
      const double step = (0.5 * math::erf(x * math::kSqrtHalf) - middle) / density(x);
      x -= step / (1 + 0.5 * step * x);  // Halley: the second derivative is -x times the first
      if (std::fabs(step) <= 0x1p-52 * std::fabs(x)) break;
    }
    return x;
  }
  const double tail = p < 0.5 ? p : 1 - p;
  const double log_tail = math::log(tail);
  // A start within 4.5e-4 (Abramowitz and Stegun 26.2.23).
  const double t = std::sqrt(-2 * log_tail);
  double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  for (int i = 0; i < 4; ++i) {
    const double now = upper_half(x);
    if (!(now > 0)) break;
    const double rate = density(x) / now;  // of the logarithm
    const double step = (now - tail) / tail < 0.1 && (now - tail) / tail > -0.1 ? math::log1p((now - tail) / tail) : math::log(now) - log_tail;
    x += step / rate;
    if (std::fabs(step / rate) <= 0x1p-52 * x) break;
  }
  return p < 0.5 ? -x : x;
}

double student_tail(double t, double df) {
  check_number("student_tail", "t", t);
  check_least("student_tail", "df", df, 1);
  return t >= 0 ? student_upper_half(t, df) : 1 - student_upper_half(-t, df);
}

double student_two_sided(double t, double df) {
  check_number("student_two_sided", "t", t);
  check_least("student_two_sided", "df", df, 1);
  return 2 * student_upper_half(std::fabs(t), df);
}

double student_upper_quantile(double p, double df) {
  check_open_share("student_upper_quantile", "p", p);
  check_least("student_upper_quantile", "df", df, 1);
  if (p == 0.5) return 0;
  const double tail = std::min(p, 1 - p);
  const auto value = [df](double t) { return student_upper_half(t, df); };
  const auto slope = [df](double t) { return student_density(t, df); };
  const double t = solve_positive(value, slope, false, tail, -normal_quantile(tail), 1e150);
  return p < 0.5 ? t : -t;
}

double binomial_pmf(int64_t k, int64_t n, double p) {
  check_binomial("binomial_pmf", n, p);
  if (k < 0 || k > n) return 0;
  if (p == 0 || p == 1) return k == (p == 0 ? 0 : n) ? 1 : 0;
  const double a = static_cast<double>(k), b = static_cast<double>(n - k), all = static_cast<double>(n);
  const double deviation = beta_deviation(a, b, p);
  const double log_count = factorial_rest(all) - factorial_rest(a) - factorial_rest(b);
  return math::exp(log_count - deviance(a, all * p, deviation) - deviance(b, all * (1 - p), -deviation));
}

double binomial_at_most(int64_t k, int64_t n, double p) {
  check_binomial("binomial_at_most", n, p);
  if (k < 0) return 0;
  return k >= n ? 1 : binomial_tails(k + 1, n, p).upper;
}

double binomial_at_least(int64_t k, int64_t n, double p) {
  check_binomial("binomial_at_least", n, p);
  if (k > n) return 0;
  return k <= 0 ? 1 : binomial_tails(k, n, p).lower;
}

double poisson_pmf(int64_t k, double mean) {
  check_least("poisson_pmf", "mean", mean, 0);
  check_count("poisson_pmf", "k", k, std::numeric_limits<int64_t>::min());
  if (k < 0) return 0;
  if (mean == 0) return k == 0 ? 1 : 0;
  const double count = static_cast<double>(k);
  return math::exp(-deviance(count, mean, count - mean) - factorial_rest(count));
}

double poisson_at_most(int64_t k, double mean) {
  check_least("poisson_at_most", "mean", mean, 0);
  check_count("poisson_at_most", "k", k, std::numeric_limits<int64_t>::min());
  return k < 0 ? 0 : gamma_tails(static_cast<double>(k) + 1, mean).upper;
}

double poisson_at_least(int64_t k, double mean) {
  check_least("poisson_at_least", "mean", mean, 0);
  check_count("poisson_at_least", "k", k, std::numeric_limits<int64_t>::min());
  return k <= 0 ? 1 : gamma_tails(static_cast<double>(k), mean).lower;
}

}  // namespace vaa::stats
