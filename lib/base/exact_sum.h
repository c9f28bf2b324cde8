// Sums of doubles without rounding: the same bits in any order and however the numbers are split over threads.
#pragma once
#include <array>
#include <cstdint>

namespace vaa {

// A fixed-point number of 2,144 bits that holds every sum of up to 2^63 doubles (a superaccumulator; Neal, "Fast exact summation using small and large
// superaccumulators", 2015). 560 bytes; an addition costs a few nanoseconds.
class ExactSum {
 public:
  void add(double value);
  void merge(const ExactSum& other);

  // The sum rounded once, to nearest even; ±infinity past the largest double; +0 for zero. Where infinities or NaN were added: what IEEE gives for them.
  double value() const;
  // What the sum is above value(), rounded: value() + rest() holds it to 106 bits. 0 where value() is not finite.
  double rest() const;

  int64_t count() const { return count_; }            // numbers added, of all kinds
  int64_t nans() const { return nans_; }
  int64_t infinities() const { return positive_infinities_ + negative_infinities_; }

 private:
  static constexpr int kDigits = 67;
  void add_finite(double value);
  void carry();
  double rounded() const;  // of the finite part, after carry()

  // Digit i weighs 2^(32 i - 1074). After carry() each is in [0, 2^32) but the last, which has the sign.
  std::array<int64_t, kDigits> digits_{};
  int pending_ = 0;  // additions since carry()
  int64_t count_ = 0, nans_ = 0, positive_infinities_ = 0, negative_infinities_ = 0;
};

// Mean and variance of a stream, from exact sums of the numbers and of their squares: the same bits in any order. For |x| between 1e-140 and 1e140, or 0.
class ExactMoments {
 public:
  void add(double value);
  void merge(const ExactMoments& other);
  int64_t count() const { return sum_.count(); }
  double sum() const { return sum_.value(); }
  double mean() const;      // NaN for none
  double variance() const;  // with divisor n - 1; NaN for fewer than two
  double standard_error() const;

 private:
  ExactSum sum_, squares_;
};

}  // namespace vaa
