// From which position on a quantity has another mean.
#pragma once
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace vaa::stats {

// Sums of a quantity over the tokens at equal or neighbouring positions, rising.
struct PositionSum {
  int64_t first = 0, last = 0;  // positions that have tokens, within it
  double n = 0, sum = 0, squares = 0;
};

// A step of the mean by least squares: the first position of the second mean lies in (lo, hi]. The interval holds 95 %: all splits whose n (S - S_min) / S_min is at most -2 log(1 - sqrt(0.95)) = 7.352
// times `design` (Hansen, "Sample splitting and threshold estimation", Econometrica 2000), S the squares that are left. `design` is by how much the variance of the step is larger than that of
// independent tokens, at least 1.
struct ChangePoint {
  bool found = false;           // at least two different means can be had
  int64_t at = 0, lo = 0, hi = 0;
  double before = std::nan(""), after = std::nan("");
  double left = std::nan("");   // S_min
};
ChangePoint change_point(std::span<const PositionSum> sums, double design);

// The squares that a straight line over log2 of the position leaves: a slow growth, where they are fewer than those of the step.
double left_by_line(std::span<const PositionSum> sums);

}  // namespace vaa::stats
