#include "stats/intervals.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/math.h"
#include "stats/arguments.h"
#include "stats/distributions.h"
#include "stats/solve.h"
#include "stats/tails.h"

namespace vaa::stats {
namespace {

void check_rate(const char* function, int64_t k, int64_t n) {
  check_count(function, "n", n);
  check_count(function, "k", k, 0, n);
}

double two_sided_z(const char* function, double confidence) {
  check_open_share(function, "confidence", confidence);
  return -normal_quantile(0.5 * (1 - confidence));
}

// The roots of (p - k/n)^2 = z^2 p (1 - p) / n. Their product is (k/n)^2 / (1 + z^2/n), so each is had without a difference: the upper one from the sum,
// the lower one from the product.
Interval wilson_at(double k, double n, double z) {
  if (n == 0) return {0, 1};
  const double z2 = z * z;
  const double root = z * std::sqrt(k / n * (n - k) + 0.25 * z2);
  const double high = k == n ? 1 : (k + 0.5 * z2 + root) / (n + z2);
  return {k == 0 ? 0 : std::min(high, k / n * k / (k + 0.5 * z2 + root)), high};
}

// p where P(X >= k) = tail for X ~ Bin(n, p), 1 <= k <= n.
double lower_limit(int64_t k, int64_t n, double tail) {
  if (k == n) return math::exp(math::log(tail) / static_cast<double>(n));
  const double a = static_cast<double>(k), b = static_cast<double>(n - k + 1);
  const auto value = [&](double p) { return binomial_at_least(k, n, p); };
  const auto slope = [&](double p) { return beta_density_xy(a, b, p, 1 - p, beta_deviation(a, b, p)) / (p * (1 - p)); };
  return solve_positive(value, slope, true, tail, wilson_at(a, static_cast<double>(n), -normal_quantile(tail)).low, 1);
}

// p where P(X <= k) = tail, 0 <= k < n.
double upper_limit(int64_t k, int64_t n, double tail) {
  if (k == 0) return -math::expm1(math::log(tail) / static_cast<double>(n));
  const double a = static_cast<double>(k + 1), b = static_cast<double>(n - k);
  const auto value = [&](double p) { return binomial_at_most(k, n, p); };
  const auto slope = [&](double p) { return beta_density_xy(a, b, p, 1 - p, beta_deviation(a, b, p)) / (p * (1 - p)); };
  return solve_positive(value, slope, false, tail, wilson_at(static_cast<double>(k), static_cast<double>(n), -normal_quantile(tail)).high, 1);
}

double square(double x) { return x * x; }

}  // namespace

Interval wilson(int64_t k, int64_t n, double confidence) {
  check_rate("wilson", k, n);
  return wilson_at(static_cast<double>(k), static_cast<double>(n), two_sided_z("wilson", confidence));
}

Interval clopper_pearson(int64_t k, int64_t n, double confidence) {
  check_rate("clopper_pearson", k, n);
  check_open_share("clopper_pearson", "confidence", confidence);
  const double tail = 0.5 * (1 - confidence);
  return {k == 0 ? 0 : lower_limit(k, n, tail), k == n ? 1 : upper_limit(k, n, tail)};
}

Interval poisson_mean(int64_t k, double confidence) {
  check_count("poisson_mean", "k", k);
  check_open_share("poisson_mean", "confidence", confidence);
  const double tail = 0.5 * (1 - confidence), count = static_cast<double>(k), reach = count + 10 * std::sqrt(count + 1) - 20 * math::log(tail);
  const double low = k == 0 ? 0 : solve_positive([&](double m) { return poisson_at_least(k, m); }, [&](double m) { return poisson_pmf(k - 1, m); }, true, tail, count, reach);
  return {low, solve_positive([&](double m) { return poisson_at_most(k, m); }, [&](double m) { return poisson_pmf(k, m); }, false, tail, count + 1, reach)};
}

double rate_lower_limit(int64_t k, int64_t n, double confidence) {
  check_rate("rate_lower_limit", k, n);
  check_open_share("rate_lower_limit", "confidence", confidence);
  return k == 0 ? 0 : lower_limit(k, n, 1 - confidence);
}

double rate_upper_limit(int64_t k, int64_t n, double confidence) {
  check_rate("rate_upper_limit", k, n);
  check_open_share("rate_upper_limit", "confidence", confidence);
  return k == n ? 1 : upper_limit(k, n, 1 - confidence);
}

double rule_of_three(int64_t n) {
  check_count("rule_of_three", "n", n, 1);
  return std::min(1.0, 3 / static_cast<double>(n));
}

Interval rate_difference(int64_t k1, int64_t n1, int64_t k2, int64_t n2, double confidence) {
  check_count("rate_difference", "n1", n1);
  check_count("rate_difference", "k1", k1, 0, n1);
  check_count("rate_difference", "n2", n2);
  check_count("rate_difference", "k2", k2, 0, n2);
  const double z = two_sided_z("rate_difference", confidence);
  if (n1 == 0 || n2 == 0) return {-1, 1};
  const double count1 = static_cast<double>(n1), count2 = static_cast<double>(n2);
  const double p1 = static_cast<double>(k1) / count1, p2 = static_cast<double>(k2) / count2;
  const Interval first = wilson_at(static_cast<double>(k1), count1, z), second = wilson_at(static_cast<double>(k2), count2, z);
  const double difference = p1 - p2;
  return {difference - std::sqrt(square(p1 - first.low) + square(second.high - p2)), difference + std::sqrt(square(first.high - p1) + square(p2 - second.low))};
}

PairedDifference paired_difference(int64_t a, int64_t b, int64_t c, int64_t d, double confidence) {
  constexpr int64_t kMost = int64_t{1} << 50;  // so that their sum is a count too
  check_count("paired_difference", "a", a, 0, kMost);
  check_count("paired_difference", "b", b, 0, kMost);
  check_count("paired_difference", "c", c, 0, kMost);
  check_count("paired_difference", "d", d, 0, kMost);
  const double z = two_sided_z("paired_difference", confidence);
  PairedDifference result;
  const double n = static_cast<double>(a + b + c + d);
  if (n == 0) {
    result.standard_error = std::numeric_limits<double>::quiet_NaN();
    return result;
  }
  const double right1 = static_cast<double>(a + b), right2 = static_cast<double>(a + c);
  const double one_way = static_cast<double>(b - c), either = static_cast<double>(b + c);
  result.difference = one_way / n;
  result.flips = either / n;
  result.standard_error = n < 2 ? std::numeric_limits<double>::quiet_NaN() : std::sqrt((either - one_way / n * one_way) / (n - 1) / n);
  const double spread = right1 * (n - right1) * right2 * (n - right2);
  const double product = static_cast<double>(a) * static_cast<double>(d) - static_cast<double>(b) * static_cast<double>(c);
  const double corrected = product > n / 2 ? product - n / 2 : product >= 0 ? 0 : product;
  result.phi = spread > 0 ? corrected / std::sqrt(spread) : 0;
  const Interval first = wilson_at(right1, n, z), second = wilson_at(right2, n, z);
  const double p1 = right1 / n, p2 = right2 / n;
  // Squared distances from below and above; the true values are not negative.
  const auto distance = [&](double x, double y) { return std::sqrt(std::max(0.0, square(x) - 2 * result.phi * x * y + square(y))); };
  result.interval = {result.difference - distance(p1 - first.low, second.high - p2), result.difference + distance(first.high - p1, p2 - second.low)};
  return result;
}

}  // namespace vaa::stats
