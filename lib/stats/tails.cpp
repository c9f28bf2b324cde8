#include "stats/tails.h"

#include <algorithm>
#include <cmath>

#include "base/double_double.h"
#include "base/math.h"

namespace vaa::stats {
namespace {

// Where both parameters are larger, the integral takes fewer steps than the continued fraction.
constexpr double kIntegralFrom = 1000;
constexpr double kNegligible = 0x1p-56;
constexpr int kMostSteps = 100000;

// Nodes and weights of Gauss-Legendre quadrature of 16 points; the other half has the opposite sign.
struct Node {
  double place, weight;
};
constexpr Node kNodes[] = {
    {0.095012509837637440185, 0.18945061045506849629}, {0.28160355077925891323, 0.18260341504492358887},
    {0.45801677765722738634, 0.16915651939500253819},  {0.61787624440264374845, 0.14959598881657673208},
    {0.7554044083550030339, 0.12462897125553387205},   {0.86563120238783174388, 0.09515851168249278481},
    {0.94457502307323257608, 0.062253523938647892863}, {0.9894009349916499326, 0.027152459411754094852},
};

// Gamma's tail below x < a + 1: x^a e^-x / Gamma(a + 1) (1 + x / (a + 1) + x^2 / ((a + 1)(a + 2)) + …).
double gamma_series(double a, double x) {
  double term = 1, sum = 1;
  for (int i = 1; i < kMostSteps && term > kNegligible * sum; ++i) {
    term *= x / (a + i);
    sum += term;
  }
  return sum;
}

// A step of the modified Lentz method for b0 + a1 / (b1 + a2 / (b2 + …)); true when the value has settled.
struct ContinuedFraction {
  double value, c, d = 0;
  explicit ContinuedFraction(double b0) : value(b0 == 0 ? 1e-300 : b0), c(value) {}
  bool step(double a, double b) {
    d = b + a * d;
    c = b + a / c;
    d = 1 / (d == 0 ? 1e-300 : d);
    c = c == 0 ? 1e-300 : c;
    const double change = c * d;
    value *= change;
    return std::fabs(change - 1) < kNegligible * 4;
  }
};

// Beta's tail below x <= a / (a + b), over x^a y^b / B(a, b) (Didonato and Morris, "Algorithm 708", 1992, formula 9).
double beta_fraction(double a, double b, double x, double y, double deviation) {
  const auto numerator = [&](double m) {
    const double c = a + 2 * m - 1;
    return (a + m - 1) / c * ((a + b + m - 1) / c) * (m * (b - m) * x) * x;
  };
  const auto denominator = [&](double m) {
    const double first = m == 0 ? 0 : m * (b - m) * x / (a + 2 * m - 1);
    return m + first + (a + m) * (deviation + 1 + m * (1 + y)) / (a + 2 * m + 1);
  };
  ContinuedFraction fraction(denominator(0));
  for (int m = 1; m < kMostSteps; ++m) {
    if (fraction.step(numerator(m), denominator(m))) break;
  }
  return 1 / fraction.value;
}

// Gamma's tail above x >= a + 1, over x^a e^-x / Gamma(a) (Abramowitz and Stegun 6.5.31, its even part).
double gamma_fraction(double a, double x) {
  ContinuedFraction fraction(x + 1 - a);
  for (int i = 1; i < kMostSteps; ++i) {
    if (fraction.step(-i * (i - a), x + 2 * i + 1 - a)) break;
  }
  return 1 / fraction.value;
}

double clamp01(double p) { return std::min(1.0, std::max(0.0, p)); }

// Gamma's tail beyond e = x - a, on the side where x is: with t = a + e the density t^a e^-t / t is proportional to exp(a (log(1 + e/a) - e/a)) / t.
double gamma_outer_tail(double a, double x) {
  const double from = x - a;
  const auto density = [a](double e) { return e <= -a ? 0 : math::exp(a * math::log1p_minus(e / a)) / (a + e); };
  const double sum = integrate_tail(density, from, from < 0 ? -1 : 1, std::fabs(from) / x, std::sqrt(a));
  return std::sqrt(a / (2 * math::kPi)) * math::exp(-math::stirling_error(a)) * sum;
}

// The same for Beta with t = (a + e) / (a + b), from e = -deviation.
double beta_outer_tail(double a, double b, double deviation) {
  const double n = a + b;
  const double from = -deviation;
  const auto density = [a, b, n](double e) {
    if (e <= -a || e >= b) return 0.0;
    return math::exp(a * math::log1p_minus(e / a) + b * math::log1p_minus(-e / b)) * (n / ((a + e) * (b - e)));
  };
  const double slope = std::fabs(from) * n / ((a + from) * (b - from));
  const double sum = integrate_tail(density, from, from < 0 ? -1 : 1, slope, std::sqrt(a / n * b));
  const double errors = math::stirling_error(n) - math::stirling_error(a) - math::stirling_error(b);
  return std::sqrt(a / n * b / (2 * math::kPi)) * math::exp(errors) * sum;
}

}  // namespace

double integrate_tail(const std::function<double(double)>& density, double from, double direction, double slope, double spread) {
  const double half = 0.5 * 4 / std::max(4 / spread, slope);  // of a panel
  double sum = 0;
  for (int panel = 0; panel < 200; ++panel) {
    const double middle = from + direction * half * (2 * panel + 1);
    double part = 0;
    for (const Node& node : kNodes) part += node.weight * (density(middle - half * node.place) + density(middle + half * node.place));
    sum += part;
    if (!(part > kNegligible * sum)) break;
  }
  return sum * half;
}

double deviance(double a, double m, double d) {
  if (a == 0) return m;
  if (std::fabs(d) < 0.4 * (a + m)) return -a * math::log1p_minus(-d / a);
  return a * math::log(a / m) - d;
}

double factorial_rest(double z) { return z == 0 ? 0 : math::stirling_error(z) + 0.5 * math::log(z) + math::kLogSqrt2Pi; }

double beta_deviation(double a, double b, double x) {
  const DoubleDouble y = two_sum(1, -x);
  const DoubleDouble difference = two_product(a, y.high) - two_product(b, x);
  return difference.high + (difference.low + a * y.low);
}

double beta_density_xy(double a, double b, double x, double y, double deviation) {
  const double n = a + b;
  const double log_power = deviance(a, n * x, deviation) + deviance(b, n * y, -deviation);
  const double log_count = factorial_rest(n) - factorial_rest(a) - factorial_rest(b);
  return a / n * b * math::exp(log_count - log_power);
}

double beta_outer_ratio(double a, double b, double x, double y, double deviation) {
  if (std::min(a, b) > kIntegralFrom) {
    const double mass = beta_density_xy(a, b, x, y, deviation);
    if (mass > 1e-290) return beta_outer_tail(a, b, deviation) / mass;
  }
  return deviation >= 0 ? beta_fraction(a, b, x, y, deviation) : beta_fraction(b, a, y, x, -deviation);
}

Tails beta_tails(double a, double b, double x, double y, double deviation) {
  if (x <= 0) return {0, 1};
  if (y <= 0) return {1, 0};
  const bool below = deviation >= 0;  // x is below the mean
  double tail;
  if (std::min(a, b) > kIntegralFrom) {
    tail = beta_outer_tail(a, b, deviation);
  } else {
    tail = beta_density_xy(a, b, x, y, deviation);
    if (tail > 0) tail *= below ? beta_fraction(a, b, x, y, deviation) : beta_fraction(b, a, y, x, -deviation);
  }
  tail = clamp01(tail);
  return below ? Tails{tail, 1 - tail} : Tails{1 - tail, tail};
}

Tails gamma_tails(double a, double x) {
  if (x <= 0) return {0, 1};
  if (std::isinf(x)) return {1, 0};
  if (a > kIntegralFrom) {
    const double tail = clamp01(gamma_outer_tail(a, x));
    return x < a ? Tails{tail, 1 - tail} : Tails{1 - tail, tail};
  }
  // x^a e^-x / Gamma(a + 1)
  const double mass = math::exp(-deviance(a, x, a - x) - factorial_rest(a));
  if (x < a + 1) {
    const double lower = clamp01(mass * gamma_series(a, x));
    return {lower, 1 - lower};
  }
  const double upper = clamp01(mass * a * gamma_fraction(a, x));
  return {1 - upper, upper};
}

}  // namespace vaa::stats
