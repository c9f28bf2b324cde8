// The tails of the beta and gamma distributions, and the pieces of exact probabilities: what every other distribution here is made of. Relative error
// about 1e-13 down to 1e-300, in bounded time for any parameters.
#pragma once
#include <functional>

namespace vaa::stats {

// Probabilities below and above a point; each is accurate relative to itself.
struct Tails {
  double lower = 0;
  double upper = 0;
};

// Beta(a, b) at x = 1 - y for a, b >= 1/2. `deviation` is a y - b x, by how much a is above (a + b) x: the caller knows it better than x and y as doubles do.
Tails beta_tails(double a, double b, double x, double y, double deviation);
// a y - b x for y = 1 - x, with x taken as exact.
double beta_deviation(double a, double b, double x);
// The smaller one of beta_tails, that on the side of x away from the mean, over beta_density_xy: also where both underflow.
double beta_outer_ratio(double a, double b, double x, double y, double deviation);
// The density of Beta(a, b) times x y.
double beta_density_xy(double a, double b, double x, double y, double deviation);
// Gamma(a) at x >= 0 for a >= 1/2.
Tails gamma_tails(double a, double x);

// a log(a / m) + m - a for a >= 0, m > 0, d = a - m: the deviance of a count from its mean (Loader, "Fast and accurate computation of binomial
// probabilities", 2000).
double deviance(double a, double m, double d);
// log(z!) - (z log z - z) for z >= 0.
double factorial_rest(double z);

// The integral from `from` outward (direction +1 or -1) of a function that is flat over `spread` near its top and falls by a factor of e every 1 / slope at
// `from` (slope 0 at the top), faster or hardly slower further out.
double integrate_tail(const std::function<double(double)>& density, double from, double direction, double slope, double spread);

}  // namespace vaa::stats
