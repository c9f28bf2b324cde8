#include "base/math.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>

#include "base/double_double.h"

namespace vaa::math {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kLog2E = 1.4426950408889634074;
// log 2 in two parts; a whole number of up to 20 bits times the first is exact.
constexpr double kLn2High = 0x1.62e42fee00000p-1;
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

// c[0] + x c[1] + x^2 c[2] + …
template <size_t N>
double polynomial(double x, const double (&c)[N]) {
  double sum = c[N - 1];
  for (size_t i = N - 1; i > 0; --i) sum = sum * x + c[i - 1];
  return sum;
}

// 2^k for a normal number.
double power_of_two(int k) { return std::bit_cast<double>(static_cast<uint64_t>(k + 1023) << 52); }

// x * 2^k for x in [1/2, 2], rounded once.
double scale(double x, int k) {
  const int half = k / 2;
  return x * power_of_two(half) * power_of_two(k - half);
}

// (exp(r) - 1 - r) / r^2 by its Taylor series, for |r| <= 0.36 (the first term left out is below 2^-58 of the sum).
double exp_tail(double r) {
  static constexpr double kTerms[] = {1.0 / 2,       1.0 / 6,        1.0 / 24,        1.0 / 120,        1.0 / 720,         1.0 / 5040,        1.0 / 40320,
                                      1.0 / 362880,  1.0 / 3628800,  1.0 / 39916800,  1.0 / 479001600,  1.0 / 6227020800,  1.0 / 87178291200};
  return polynomial(r, kTerms);
}

struct Reduced {
  int k;     // x = k log 2 + r
  double y;  // exp(r) - 1
};
Reduced reduce_exp(double x) {
  const int k = static_cast<int>(std::floor(x * kLog2E + 0.5));
  const double high = x - k * kLn2High;
  const double low = k * kLn2Low;
  const double r = high - low;
  const double rest = (high - r) - low;
  return {k, r + (r * r * exp_tail(r) + rest)};
}

struct Split {
  int k;
  double m;  // in [sqrt(1/2), sqrt(2))
};
// x = m 2^k for a positive normal number.
Split split(double x) {
  constexpr uint64_t kFraction = (uint64_t{1} << 52) - 1;
  const uint64_t bits = std::bit_cast<uint64_t>(x);
  const int k = static_cast<int>(bits >> 52) - 1023;
  const double m = std::bit_cast<double>((bits & kFraction) | uint64_t{1023} << 52);
  return m > 2 * kSqrtHalf ? Split{k + 1, m / 2} : Split{k, m};
}

// 2 (s^2/3 + s^4/5 + …): what log(1 + f) = 2 atanh(s), s = f / (2 + f), has beyond 2 s, divided by s. For |s| <= 0.172.
double atanh_tail(double s) {
  static constexpr double kTerms[] = {2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21};
  const double s2 = s * s;
  return s2 * polynomial(s2, kTerms);
}

// k log 2 + log(1 + f) + rest for 1 + f in [sqrt(1/2), sqrt(2)]. With h = f^2/2, 2 s = f - s f = f - h + s h, so that the largest term is exact.
double log_of(int k, double f, double rest) {
  const double s = f / (2 + f);
  const double h = 0.5 * f * f;
  const double tail = s * (h + atanh_tail(s));
  return k * kLn2High - ((h - (tail + (k * kLn2Low + rest))) - f);
}

// lgamma(2 + z) for |z| <= 1/2: (1 - gamma) z + sum of (-1)^k (zeta(k) - 1) z^k / k (Abramowitz and Stegun 6.1.33).
double lgamma_near_two(double z) {
  static constexpr double kTerms[] = {
      0.42278433509846713939,    0.32246703342411321824,    -0.067352301053198095133,  0.020580808427784547879,   -0.0073855510286739852663,
      0.0028905103307415232858,  -0.0011927539117032609771, 0.00050966952474304242234, -0.00022315475845357937976, 0.000099457512781808533715,
      -0.0000449262367381331417, 0.000020507212775670691553, -9.439488275268395904e-6, 4.3748667899074878042e-6,  -2.0392157538013662368e-6,
      9.5514121304074198329e-7,  -4.4924691987645660433e-7, 2.1207184805554665869e-7,  -1.0043224823968099609e-7, 4.7698101693639805658e-8,
      -2.271109460894316491e-8,  1.0838659214896954091e-8,  -5.1834750419700466551e-9, 2.4836745438024783172e-9,  -1.1921401405860912074e-9,
      5.7313672416788620133e-10, -2.7595228851242331452e-10, 1.3304764374244489481e-10, -6.4229645638381000221e-11, 3.1044247747322272762e-11};
  return z * polynomial(z, kTerms);
}

// From here on nine terms of Stirling's series suffice.
constexpr double kStirlingFrom = 12;
// Sum of B(2k) / (2k (2k - 1) x^(2k - 1)) (Abramowitz and Stegun 6.1.41).
double stirling_series(double x) {
  static constexpr double kTerms[] = {1.0 / 12,   -1.0 / 360,  1.0 / 1260,      -1.0 / 1680,          1.0 / 1188,
                                      -691.0 / 360360, 1.0 / 156, -3617.0 / 122400, 43867.0 / 244188};
  const double inverse = 1 / x;
  return inverse * polynomial(inverse * inverse, kTerms);
}

// Chebyshev coefficients of (1 + 2x) exp(x^2) erfc(x) in t = (x - 3.75) / (x + 3.75), of which x >= 0 makes [-1, 1] (the form of Shepherd and
// Laframboise 1981), computed by a discrete cosine transform of 100 values of 60 digits.
constexpr double kErfcTerms[] = {
    2.3551578691348035082,     -0.0045900545806464773309, -0.084249133366517915584,  0.059209939998191890498,  -0.026658668435305752277,
    0.0090749976707052650939,  -0.0024131635404176081909, 0.00049077583652580863229, -0.000069169733025012063671, 4.1390279860730101675e-6,
    7.7403830661984906686e-7,  -2.1886401049234395661e-7, 1.0764999465670910377e-8,  4.5219598112182868979e-9,  -7.7544002088313511065e-10,
    -6.3180883408866844944e-11, 2.8687950109306698981e-11, 1.945586854577734723e-13, -9.6546967484334389059e-13, 3.2525481481487398415e-14,
    3.3478119482868053878e-14, -1.8645628804193131015e-15, -1.2507950530688647085e-15, 7.418235256624043463e-17, 5.0681489047961113168e-17};

}  // namespace

double exp(double x) {
  if (std::isnan(x)) return x;
  if (x > 709.8) return kInfinity;
  if (x < -745.2) return 0;
  const Reduced reduced = reduce_exp(x);
  return scale(1 + reduced.y, reduced.k);
}

double expm1(double x) {
  if (std::isnan(x)) return x;
  if (x > 709.8) return kInfinity;
  if (x < -40) return -1;
  if (std::fabs(x) < 0.35) return x + x * x * exp_tail(x);
  const Reduced reduced = reduce_exp(x);
  if (reduced.k > 60) return scale(1 + reduced.y, reduced.k);
  const double power = power_of_two(reduced.k);
  return (power - 1) + power * reduced.y;
}

double log(double x) {
  if (std::isnan(x) || x == kInfinity) return x;
  if (x <= 0) return x == 0 ? -kInfinity : kNan;
  if (x < std::numeric_limits<double>::min()) {
    const Split parts = split(x * 0x1p54);
    return log_of(parts.k - 54, parts.m - 1, 0);
  }
  const Split parts = split(x);
  return log_of(parts.k, parts.m - 1, 0);
}

double log1p(double x) {
  if (std::isnan(x) || x == kInfinity) return x;
  if (x <= -1) return x == -1 ? -kInfinity : kNan;
  if (x > kSqrtHalf - 1 && x < 2 * kSqrtHalf - 1) return std::fabs(x) < 0x1p-60 ? x : log_of(0, x, 0);
  const double sum = 1 + x;
  const Split parts = split(sum);
  // log(1 + x) is log(sum) and, to first order, what the sum lost relative to it.
  const double lost = x > 1 ? 1 - (sum - x) : x - (sum - 1);
  return log_of(parts.k, parts.m - 1, lost / sum);
}

double lgamma(double x) {
  if (std::isnan(x) || x == kInfinity) return x;
  if (x <= 0) return x == 0 ? kInfinity : kNan;
  if (x < 0.5) return lgamma_near_two(x) - log1p(x) - log(x);
  if (x < 1.5) return lgamma_near_two(x - 1) - log1p(x - 1);
  if (x >= kStirlingFrom) return x * (log(x) - 1) - 0.5 * log(x) + kLogSqrt2Pi + stirling_series(x);
  double product = 1;
  while (x > 2.5) {
    x -= 1;
    product *= x;
  }
  return lgamma_near_two(x - 2) + log(product);
}

double exp_minus_square(double x) {
  if (std::fabs(x) > 28) return std::isnan(x) ? x : 0;
  const DoubleDouble square = two_product(x, x);
  const double power = exp(-square.high);
  return power - power * square.low;
}

double exp_minus_half_square(double x) {
  if (std::fabs(x) > 39) return std::isnan(x) ? x : 0;
  const DoubleDouble square = two_product(x, x);
  const double power = exp(-0.5 * square.high);
  return power - power * (0.5 * square.low);
}

double erfc_scaled(double x) {
  if (std::isnan(x)) return x;
  if (x == 0) return 1;
  if (x > 1e8) return 1 / (x * 1.7724538509055160273);  // sqrt(pi); the next term of the asymptotic series is below 2^-53
  // Clenshaw's recurrence.
  const double t = (x - 3.75) / (x + 3.75);
  double next = 0, after = 0;
  for (size_t i = std::size(kErfcTerms) - 1; i > 0; --i) {
    const double now = 2 * t * next - after + kErfcTerms[i];
    after = next;
    next = now;
  }
  return (t * next - after + 0.5 * kErfcTerms[0]) / (1 + 2 * x);
}

double erfc(double x) {
  if (std::isnan(x)) return x;
  if (x < 0) return 2 - erfc(-x);
  return exp_minus_square(x) * erfc_scaled(x);
}

double erf(double x) {
  if (std::isnan(x)) return x;
  if (x < 0) return -erf(-x);
  if (x >= 1) return 1 - erfc(x);
  // 2/sqrt(pi) exp(-x^2) sum of 2^n x^(2n+1) / (1 3 5 … (2n+1)) (Abramowitz and Stegun 7.1.6): no term is negative.
  double term = x, sum = x;
  for (int n = 1; term > 0x1p-60 * sum; ++n) {
    term *= 2 * x * x / (2 * n + 1);
    sum += term;
  }
  return 1.1283791670955125739 * exp_minus_square(x) * sum;
}

double log1p_minus(double x) {
  // With v = x / (2 + x), log1p(x) = 2 atanh(v) and 2 v - x = -x v.
  const double v = x / (2 + x);
  if (!(std::fabs(v) < 0.4)) return log1p(x) - x;
  const double v2 = v * v;
  double power = v2, sum = v2 / 3;
  for (int n = 5; power > 0x1p-60 * sum; n += 2) {
    power *= v2;
    sum += power / n;
  }
  return v * (2 * sum - x);
}

double stirling_error(double x) {
  if (!(x > 0)) return x == 0 ? kInfinity : kNan;
  // The difference of the errors at x and x + 1 is (x + 1/2) log((x + 1) / x) - 1.
  double sum = 0;
  for (; x < kStirlingFrom; x += 1) sum += x < 1 ? (x + 0.5) * (log1p(x) - log(x)) - 1 : 0.5 / x + (x + 0.5) * log1p_minus(1 / x);
  return sum + stirling_series(x);
}

}  // namespace vaa::math
