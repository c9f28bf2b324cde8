// The point where a probability that falls or rises has a given value.
#pragma once
#include <functional>

namespace vaa::stats {

// x in (0, high] with value(x) = target > 0, for a positive function that rises everywhere or falls everywhere, and its derivative's size; to the last places
// that value() can tell. Newton's steps on the logarithms of both, in which tails are nearly straight, kept inside a bracket that every step narrows.
// The nearest end where there is no such x.
double solve_positive(const std::function<double(double)>& value, const std::function<double(double)>& slope, bool rising, double target, double guess,
                      double high);

// x in [low, high], low > 0, where a smooth function changes its sign, to the last places; value(x) gives it and its slope. Newton's steps inside a bracket,
// which is halved on a logarithmic scale where they leave it.
struct Slope {
  double value, slope;
};
double solve_crossing(const std::function<Slope(double)>& value, double low, double high);

}  // namespace vaa::stats
