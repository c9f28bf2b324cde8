// Elementary and special functions with the same bits on every host: sums and products of doubles only, where libm's results differ in the last place.
// Errors are in units in the last place of the result where it is a normal number. NaN gives NaN.
#pragma once

namespace vaa::math {

double exp(double x);    // within 1 ulp
double expm1(double x);  // within 2 ulp
double log(double x);    // within 1 ulp; 0: -infinity, below 0: NaN
double log1p(double x);  // within 2 ulp; -1: -infinity, below -1: NaN
double lgamma(double x);  // of the logarithm of gamma: relative 1e-14; for x > 0, 0: infinity, below 0: NaN
double erf(double x);     // relative 1e-14
double erfc(double x);    // relative 1e-14, also far out where it is small

// exp(x * x) * erfc(x) for x >= 0, relative 1e-14: what is left of erfc where it would underflow.
double erfc_scaled(double x);
// log1p(x) - x without the cancellation near 0: relative 1e-14.
double log1p_minus(double x);
// lgamma(x + 1) - ((x + 1/2) log x - x + log(2 pi) / 2) for x > 0, what Stirling's formula lacks: absolute 4e-15.
double stirling_error(double x);
// exp(-x * x) and exp(-x * x / 2) with the square's rounding made good.
double exp_minus_square(double x);
double exp_minus_half_square(double x);

constexpr double kLogSqrt2Pi = 0.91893853320467274178;
constexpr double kSqrtHalf = 0.70710678118654752440;
constexpr double kPi = 3.14159265358979323846;

}  // namespace vaa::math
