// The probability of a 2 x 2 table given its margins, and of the tables beyond it.
#pragma once
#include <cstdint>

namespace vaa::stats {

class HypergeometricTable {
 public:
  // Cells [a b; c d], not negative, their sum at most 2^53.
  HypergeometricTable(int64_t a, int64_t b, int64_t c, int64_t d);

  int64_t first() const { return a_; }                       // the cell a
  int64_t least() const;                                     // that the margins allow for a
  int64_t most() const;
  int64_t mode() const;                                      // the likeliest a
  double log_pmf(int64_t a) const;                           // for a in [least, most]
  double at_least(int64_t a) const;                          // P(A >= a)
  double at_most(int64_t a) const;

 private:
  struct Cells {
    double a, b, c, d;
    double deviation;  // of a from its mean
  };
  Cells cells(int64_t a) const;
  double log_pmf(const Cells& cells) const;
  double outer(int64_t a, int direction) const;
  double outer_by_integral(int64_t a, int direction) const;

  int64_t a_;
  int64_t row_, other_row_, column_, other_column_, total_;
  double log_margins_;
  double spread_;  // the standard deviation of a
};

}  // namespace vaa::stats
