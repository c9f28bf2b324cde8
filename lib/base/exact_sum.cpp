#include "base/exact_sum.h"

#include <bit>
#include <cmath>
#include <limits>

#include "base/double_double.h"

namespace vaa {
namespace {

constexpr int kDigitBits = 32;
constexpr int64_t kDigitMask = (int64_t{1} << kDigitBits) - 1;
// An addition changes a digit by less than 2^53, so this many after carry() stay inside 63 bits.
constexpr int kMostPending = 1000;
constexpr uint64_t kFraction = (uint64_t{1} << 52) - 1;

double from_bits(uint64_t bits) { return std::bit_cast<double>(bits); }

}  // namespace

void ExactSum::add(double value) {
  ++count_;
  if (std::isnan(value)) {
    ++nans_;
  } else if (std::isinf(value)) {
    ++(value > 0 ? positive_infinities_ : negative_infinities_);
  } else {
    add_finite(value);
  }
}

void ExactSum::add_finite(double value) {
  if (pending_ == kMostPending) carry();
  ++pending_;
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const int exponent = static_cast<int>(bits >> 52 & 0x7FF);
  const uint64_t mantissa = (bits & kFraction) | static_cast<uint64_t>(exponent != 0) << 52;
  const int position = exponent == 0 ? 0 : exponent - 1;  // of the mantissa's last bit, above 2^-1074
  const size_t digit = static_cast<size_t>(position) / kDigitBits;
  const int shift = position % kDigitBits;
  const int64_t lower = static_cast<int64_t>(mantissa << shift) & kDigitMask;
  const int64_t upper = static_cast<int64_t>(mantissa >> (kDigitBits - shift));
  const bool negative = (bits >> 63) != 0;
  digits_[digit] += negative ? -lower : lower;
  digits_[digit + 1] += negative ? -upper : upper;
}

void ExactSum::merge(const ExactSum& other) {
  ExactSum carried = other;
  carried.carry();
  carry();
  for (size_t i = 0; i < digits_.size(); ++i) digits_[i] += carried.digits_[i];
  pending_ = 1;
  count_ += other.count_;
  nans_ += other.nans_;
  positive_infinities_ += other.positive_infinities_;
  negative_infinities_ += other.negative_infinities_;
}

void ExactSum::carry() {
  for (size_t i = 0; i + 1 < digits_.size(); ++i) {
    const int64_t lower = digits_[i] & kDigitMask;
    digits_[i + 1] += (digits_[i] - lower) / (kDigitMask + 1);
    digits_[i] = lower;
  }
  pending_ = 0;
}

double ExactSum::rounded() const {
  ExactSum magnitude = *this;
  auto& digits = magnitude.digits_;
  const bool negative = digits.back() < 0;
  if (negative) {
    for (int64_t& digit : digits) digit = -digit;
    magnitude.carry();
  }
  size_t top = digits.size();
  while (top > 0 && digits[top - 1] == 0) --top;
  if (top == 0) return 0.0;
  // The 128 bits from the top digit down, and whether anything stands below them.
  const auto digit = [&](size_t below) { return below < top ? static_cast<uint64_t>(digits[top - 1 - below]) : 0; };
  const int width = static_cast<int>(std::bit_width(digit(0)));  // up to 63 in the last digit
  const int64_t high_bit = static_cast<int64_t>(top - 1) * kDigitBits + width - 1;
  unsigned __int128 head = digit(0);
  head = head << kDigitBits | digit(1);
  int have = width + kDigitBits;
  size_t below = 2;
  while (have < 64) {
    head = head << kDigitBits | digit(below++);
    have += kDigitBits;
  }
  bool sticky = false;
  for (; below < top; ++below) sticky = sticky || digit(below) != 0;
  // A double keeps 53 bits, and none below 2^-1074.
  const int64_t keep = high_bit + 1 < 53 ? high_bit + 1 : 53;
  const int drop = have - static_cast<int>(keep);
  uint64_t mantissa = static_cast<uint64_t>(head >> drop);
  const unsigned __int128 dropped = head & ((static_cast<unsigned __int128>(1) << drop) - 1);
  const unsigned __int128 half = static_cast<unsigned __int128>(1) << (drop - 1);
  if (dropped > half || (dropped == half && (sticky || (mantissa & 1) != 0))) ++mantissa;
  // Adding the mantissa to the exponent's bits lets a carry out of the mantissa raise the exponent, up to infinity.
  const int64_t exponent = high_bit - 52;  // of a normal number, less 1; below 0 for a subnormal one
  if (exponent > 2045) return negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  const uint64_t bits = exponent < 0 ? mantissa : (static_cast<uint64_t>(exponent) << 52) + mantissa;
  return from_bits(bits | static_cast<uint64_t>(negative) << 63);
}

double ExactSum::value() const {
  if (nans_ != 0 || (positive_infinities_ != 0 && negative_infinities_ != 0)) return std::numeric_limits<double>::quiet_NaN();
  if (positive_infinities_ != 0) return std::numeric_limits<double>::infinity();
  if (negative_infinities_ != 0) return -std::numeric_limits<double>::infinity();
  ExactSum carried = *this;
  carried.carry();
  return carried.rounded();
}

double ExactSum::rest() const {
  const double sum = value();
  if (!std::isfinite(sum)) return 0;
  ExactSum rest = *this;
  rest.add_finite(-sum);
  return rest.value();
}

void ExactMoments::add(double value) {
  sum_.add(value);
  const DoubleDouble square = two_product(value, value);
  squares_.add(square.high);
  squares_.add(square.low);
}

void ExactMoments::merge(const ExactMoments& other) {
  sum_.merge(other.sum_);
  squares_.merge(other.squares_);
}

double ExactMoments::mean() const {
  if (count() == 0) return std::numeric_limits<double>::quiet_NaN();
  return sum_.value() / static_cast<double>(count());
}

// The squares about c, the rounded mean, are S2 - 2 c S1 + n c^2: products exact, added exactly, so that nothing cancels. What c is off the mean by,
// d / n with d = S1 - n c, adds d^2 / n to them.
double ExactMoments::variance() const {
  if (count() < 2) return std::numeric_limits<double>::quiet_NaN();
  const double n = static_cast<double>(count());
  const double c = mean();
  if (!std::isfinite(c)) return std::numeric_limits<double>::quiet_NaN();
  ExactSum about = squares_, off = sum_, rest = sum_;
  const auto add_product = [](ExactSum* sum, double a, double b) {
    const DoubleDouble product = two_product(a, b);
    sum->add(product.high);
    sum->add(product.low);
  };
  for (int part = 0; part < 4; ++part) {
    const double piece = rest.value();
    add_product(&about, -2 * c, piece);
    rest.add(-piece);
  }
  const DoubleDouble square = two_product(c, c);
  add_product(&about, n, square.high);
  add_product(&about, n, square.low);
  add_product(&off, -n, c);
  const double spread = about.value() - off.value() * off.value() / n;
  return spread <= 0 ? 0.0 : spread / (n - 1);
}

double ExactMoments::standard_error() const { return std::sqrt(variance() / static_cast<double>(count())); }

}  // namespace vaa
