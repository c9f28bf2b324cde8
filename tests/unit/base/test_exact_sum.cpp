#include "base/exact_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "base/double_double.h"
#include "catch.h"

using vaa::ExactMoments;
using vaa::ExactSum;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kSmallest = std::numeric_limits<double>::denorm_min();

// The numbers that the expected values below were made from, by Python's math.fsum and fractions.Fraction: pairs of steps of the generator
// x <- 6364136223846793005 x + 1442695040888963407 mod 2^64; a mantissa (x >> 11) - 2^52 and an exponent low + (x >> 33) mod (high - low + 1).
std::vector<double> numbers(uint64_t seed, int n, int low, int high) {
  uint64_t x = seed;
  const auto step = [&] { return x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407); };
  std::vector<double> result;
  for (int i = 0; i < n; ++i) {
    const auto mantissa = static_cast<double>(static_cast<int64_t>(step() >> 11) - (INT64_C(1) << 52));
    const int exponent = low + static_cast<int>((step() >> 33) % static_cast<uint64_t>(high - low + 1));
    result.push_back(std::ldexp(mantissa, exponent - 52));
  }
  return result;
}

ExactSum sum_of(const std::vector<double>& values) {
  ExactSum sum;
  for (const double v : values) sum.add(v);
  return sum;
}

bool same_bits(double a, double b) { return a == b && std::signbit(a) == std::signbit(b); }

struct SumCase {
  uint64_t seed;
  int n, low, high;
  double sum, rest;  // math.fsum(numbers), and the exact sum less that, rounded
};
constexpr SumCase kSums[] = {
    {1, 10, 0, 0, 0x1.14b463c4cc552p+1, -0x1.0000000000000p-52},
    {2, 1000, 0, 0, 0x1.b332592673ffbp+0, 0x0.0p+0},
    {3, 1000, -30, 30, 0x1.0b250be5ea073p+32, 0x1.7133977f1347bp-22},
    {4, 1000, -300, 300, -0x1.df76cf633f787p+299, 0x1.f0ee068e1043cp+244},
    {5, 5000, -1000, 1000, 0x1.068961144444bp+999, 0x1.95a6b59dba765p+942},
    {6, 1000, -1074, -1000, 0x1.5bd20343ed0a2p-1003, -0x0.000000000ba38p-1022},
    {7, 3000, -1074, -1022, -0x1.2576c4d75bf95p-1019, 0x0.0p+0},
    {8, 100, 900, 1015, -0x1.b75e0e4f49d40p+1014, -0x1.e68e3032ab0e0p+960},
    {9, 10000, -5, 5, -0x1.7d0b58f85f110p+10, 0x1.5628000000000p-44},
    {10, 3, -1074, -1074, -0x0.0000000000001p-1022, 0x0.0p+0},
    {11, 2, -1060, -1030, -0x0.000000001e09cp-1022, 0x0.0p+0},
    {12, 40000, -100, 100, -0x1.7f7f472bcee84p+101, 0x1.cced718093110p+46},
};

}  // namespace

TEST_CASE("exact_sum: the sum is that of math.fsum, and the rest what it leaves", "[base]") {
  for (const SumCase& c : kSums) {
    const ExactSum sum = sum_of(numbers(c.seed, c.n, c.low, c.high));
    INFO("seed " << c.seed);
    CHECK(sum.value() == c.sum);
    CHECK(sum.rest() == c.rest);
    CHECK(sum.count() == c.n);
  }
}

TEST_CASE("exact_sum: any order and any split give the same bits", "[base]") {
  std::mt19937_64 random(5);
  for (const SumCase& c : kSums) {
    std::vector<double> values = numbers(c.seed, c.n, c.low, c.high);
    for (int round = 0; round < 10; ++round) {
      std::shuffle(values.begin(), values.end(), random);
      std::vector<ExactSum> parts(1 + random() % 8);
      for (const double v : values) parts[random() % parts.size()].add(v);
      ExactSum sum;
      for (const ExactSum& part : parts) sum.merge(part);
      REQUIRE(sum.value() == c.sum);
      REQUIRE(sum.rest() == c.rest);
      REQUIRE(sum.count() == c.n);
    }
  }
}

TEST_CASE("exact_sum: merging many sums and adding after it stays exact", "[base]") {
  ExactSum total, unit = sum_of({0.1, 1e300, -1e300, 1e-300});
  for (int i = 0; i < 5000; ++i) {
    total.merge(unit);
    total.add(-0.1);
  }
  CHECK(total.value() == 5000 * 1e-300);  // exact: 1e-300 5,000 times, rounded once; the product is rounded once too
  CHECK(total.count() == 25000);
}

TEST_CASE("exact_sum: ties go to even", "[base]") {
  CHECK(sum_of({1.0, 0x1p-53}).value() == 1.0);
  CHECK(sum_of({1.0, 0x1p-53, kSmallest}).value() == 1.0 + 0x1p-52);
  CHECK(sum_of({1.0, 0x1p-53, -kSmallest}).value() == 1.0);
  CHECK(sum_of({1.0 + 0x1p-52, 0x1p-53}).value() == 1.0 + 0x1p-51);
  CHECK(sum_of({-1.0, -0x1p-53}).value() == -1.0);
  CHECK(sum_of({-1.0, -0x1p-53, -kSmallest}).value() == -1.0 - 0x1p-52);
  CHECK(sum_of({2.0 - 0x1p-52, 0x1p-53}).value() == 2.0);
}

TEST_CASE("exact_sum: the ends of the range", "[base]") {
  CHECK(same_bits(ExactSum().value(), 0.0));
  CHECK(same_bits(sum_of({-0.0, -0.0}).value(), 0.0));
  CHECK(same_bits(sum_of({1.5, -1.5}).value(), 0.0));
  CHECK(sum_of({kSmallest}).value() == kSmallest);
  CHECK(sum_of({-kSmallest, -kSmallest}).value() == -2 * kSmallest);
  CHECK(sum_of({0x1p-1022, -kSmallest}).value() == 0x1p-1022 - kSmallest);
  CHECK(sum_of({0x1p-1022 - kSmallest, kSmallest}).value() == 0x1p-1022);
  CHECK(sum_of({kLargest}).value() == kLargest);
  CHECK(sum_of({kLargest, kLargest}).value() == kInfinity);
  CHECK(sum_of({-kLargest, -kLargest}).value() == -kInfinity);
  CHECK(sum_of({kLargest, kLargest, -kLargest}).value() == kLargest);
  CHECK(sum_of({kLargest, 0x1p969}).value() == kLargest);   // below half an ulp
  CHECK(sum_of({kLargest, 0x1p970}).value() == kInfinity);  // half of one: to even
  ExactSum many;
  for (int i = 0; i < 100000; ++i) many.add(kLargest);
  for (int i = 0; i < 99999; ++i) many.add(-kLargest);
  CHECK(many.value() == kLargest);
}

TEST_CASE("exact_sum: infinities and NaN are counted and decide the sum as IEEE's do", "[base]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const ExactSum infinite = sum_of({1.0, kInfinity, 2.0});
  CHECK(infinite.value() == kInfinity);
  CHECK(infinite.rest() == 0);
  CHECK(infinite.infinities() == 1);
  CHECK(infinite.count() == 3);
  CHECK(sum_of({-kInfinity, kLargest}).value() == -kInfinity);
  CHECK(std::isnan(sum_of({kInfinity, -kInfinity}).value()));
  ExactSum sum = sum_of({1.0, nan, nan});
  CHECK(std::isnan(sum.value()));
  CHECK(sum.nans() == 2);
  sum.merge(infinite);
  CHECK(sum.nans() == 2);
  CHECK(sum.infinities() == 1);
  CHECK(sum.count() == 6);
}

TEST_CASE("exact_moments: mean, variance and standard error of numbers far from 0", "[base]") {
  struct Case {
    uint64_t seed;
    int n, low, high;
    double shift, mean, variance, standard_error;  // by fractions.Fraction and mpmath, of shift + numbers
  };
  constexpr Case kCases[] = {
      {21, 100, 0, 0, 0.0, -0.03967289974079637, 0.3809241228375899, 0.06171905077345162},
      {22, 1000, -3, 3, 100000000.0, 99999999.94688696, 3.8579856924752525, 0.06211268543925027},
      {23, 500, -10, 0, -123456.75, -123456.74333564877, 0.03702998518051814, 0.008605810267548098},
      {24, 2, 0, 0, 1000000000000.0, 999999999999.9963, 0.156764455139637, 0.27996826171875},
  };
  for (const Case& c : kCases) {
    INFO("seed " << c.seed);
    ExactMoments all, parts[3];
    size_t i = 0;
    for (const double v : numbers(c.seed, c.n, c.low, c.high)) {
      all.add(c.shift + v);
      parts[i++ % 3].add(c.shift + v);
    }
    CHECK(all.mean() == c.mean);
    CHECK(all.variance() == Approx(c.variance).epsilon(4e-16));
    CHECK(all.standard_error() == Approx(c.standard_error).epsilon(4e-16));
    parts[2].merge(parts[0]);
    parts[2].merge(parts[1]);
    CHECK(parts[2].mean() == all.mean());
    CHECK(parts[2].variance() == all.variance());
  }
  ExactMoments none, one;
  CHECK(std::isnan(none.mean()));
  one.add(4.5);
  CHECK(one.mean() == 4.5);
  CHECK(std::isnan(one.variance()));
  one.add(4.5);
  CHECK(one.variance() == 0);
}

// 0.1 * 0.1 and 1/3 in exact fractions, from Python's fractions.Fraction.
TEST_CASE("double_double: products, sums and quotients keep 106 bits", "[base]") {
  const vaa::DoubleDouble square = vaa::two_product(0.1, 0.1);
  CHECK(square.high == 0.1 * 0.1);
  CHECK(square.low == -0x1.eb851eb851eb8p-61);
  const vaa::DoubleDouble third = vaa::DoubleDouble{1.0, 0.0} / 3.0;
  CHECK(third.high == 0x1.5555555555555p-2);
  CHECK(third.low == 0x1.5555555555555p-56);
  const vaa::DoubleDouble nothing = third + third + third - vaa::DoubleDouble{1.0, 0.0};
  CHECK(std::fabs(nothing.high) < 1e-31);
}
