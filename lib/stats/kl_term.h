// What one outcome adds to a Kullback-Leibler divergence, without a difference of near numbers.
#pragma once
#include <cmath>

#include "base/math.h"

namespace vaa::stats {

// By how much the sum of a distribution may miss 1: float32's rounding over a vocabulary.
constexpr double kSumSlack = 1e-5;

// exp(x) - 1 - x, not negative.
inline double exp_rest(double x) { return std::fabs(x) < 0.5 ? -math::log1p_minus(math::expm1(x)) : math::expm1(x) - x; }

// p log(p / q) - p + q for q = p exp(x), not negative.
inline double kl_term(double p, double q, double x) {
  if (p == 0) return q;
  return x < 600 ? p * exp_rest(x) : q - p - p * x;  // further up the exponential overflows
}

}  // namespace vaa::stats
