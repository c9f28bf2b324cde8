// Numbers of about 106 bits as the unevaluated sum of two doubles (Dekker 1971, "A floating-point technique for extending the available precision").
// Products need |x| below 2^996; nothing here may be contracted (-ffp-contract=off).
#pragma once

namespace vaa {

struct DoubleDouble {
  double high = 0;
  double low = 0;
};

// a + b exactly.
inline DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double from_b = sum - a;
  return {sum, (a - (sum - from_b)) + (b - from_b)};
}

// a + b exactly for |a| >= |b|.
inline DoubleDouble quick_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

// a * b exactly, where the product's last bits are no subnormals.
inline DoubleDouble two_product(double a, double b) {
  const double split = 134217729.0;  // 2^27 + 1
  const double a_big = split * a, b_big = split * b;
  const double a_high = a_big - (a_big - a), b_high = b_big - (b_big - b);
  const double a_low = a - a_high, b_low = b - b_high;
  const double product = a * b;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble sum = two_sum(a.high, b.high);
  const DoubleDouble rest = two_sum(a.low, b.low);
  const DoubleDouble part = quick_two_sum(sum.high, sum.low + rest.high);
  return quick_two_sum(part.high, part.low + rest.low);
}

inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + DoubleDouble{-b.high, -b.low}; }

inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble product = two_product(a.high, b.high);
  return quick_two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

inline DoubleDouble operator/(DoubleDouble a, double b) {
  const double first = a.high / b;
  const DoubleDouble back = two_product(first, b);
  const double second = (((a.high - back.high) - back.low) + a.low) / b;
  return quick_two_sum(first, second);
}

}  // namespace vaa
