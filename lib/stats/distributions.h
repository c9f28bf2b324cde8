// Probabilities and quantiles of the distributions that the tests and intervals need. Relative error about 1e-13, also far out in the tails; bounded time
// for any arguments. What is out of range is a Failure (VAA_ERROR_ARGUMENT).
#pragma once
#include <cstdint>

namespace vaa::stats {

double normal_cdf(double x);              // P(Z <= x)
double normal_tail(double x);             // P(Z > x)
double normal_two_sided(double x);        // P(|Z| >= |x|)
double normal_quantile(double p);         // x with P(Z <= x) = p; 0: -infinity, 1: infinity

double student_tail(double t, double df);      // P(T > t) for df >= 1
double student_two_sided(double t, double df);  // P(|T| >= |t|)
// t with P(T > t) = p, for p in (0, 1), df >= 1.
double student_upper_quantile(double p, double df);

// X ~ Bin(n, p): successes in n trials.
double binomial_pmf(int64_t k, int64_t n, double p);       // P(X = k)
double binomial_at_most(int64_t k, int64_t n, double p);   // P(X <= k); k may be outside [0, n]
double binomial_at_least(int64_t k, int64_t n, double p);  // P(X >= k)

// X ~ Poisson(mean).
double poisson_pmf(int64_t k, double mean);
double poisson_at_most(int64_t k, double mean);
double poisson_at_least(int64_t k, double mean);

}  // namespace vaa::stats
