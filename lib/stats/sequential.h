// Runs that are watched while they come: statements that hold whenever one looks and stops. What is out of range is a Failure (VAA_ERROR_ARGUMENT).
#pragma once
#include <cstdint>

#include "stats/intervals.h"

namespace vaa::stats {

enum class Decision : uint8_t { kGoOn = 0, kLow = 1, kHigh = 2 };

// Wald's sequential probability ratio test (1945) of the failure rate p0 against p1 > p0: alpha is the chance to accept p1 where p0 holds, beta that to accept
// p0 where p1 holds; their sum is below 1.
struct Sprt {
  double log_ratio = 0;    // k log(p1 / p0) + (n - k) log((1 - p1) / (1 - p0))
  double low = 0;          // log(beta / (1 - alpha)): there or below, p0 is accepted
  double high = 0;         // log((1 - beta) / alpha): there or above, p1 is
  Decision decision = Decision::kGoOn;
  int64_t clean_runs = 0;  // further runs without a failure until p0 is accepted; 0 where it is decided
};
Sprt sprt(int64_t k, int64_t n, double p0, double p1, double alpha = 0.05, double beta = 0.1);

// The evidence of k failures in n runs against the rate p0: the likelihood under a Beta(1/2, 1/2) prior over that under p0. If the rate is p0, the chance that e
// ever reaches 1 / alpha is at most alpha, however often one looks (Ville 1939; Robbins 1970). Infinity past the largest double; p is exact all the same.
struct EValue {
  double e = 1;        // against "the rate is p0"
  double p = 1;        // min(1, 1 / e), valid at any stopping time
  double e_above = 1;  // against "the rate is p0 or less": the prior cut to (p0, 1)
  double p_above = 1;
};
EValue e_value(int64_t k, int64_t n, double p0);

// All rates whose e is below 1 / (1 - confidence): at every n at once they hold the true rate with this confidence.
Interval confidence_sequence(int64_t k, int64_t n, double confidence = 0.95);

// The least number of runs without a failure that excludes `rate` by its e (e >= 1 / alpha), so that one may look after each of them; cf. clean_runs_needed.
int64_t clean_runs_needed_anytime(double rate, double alpha = 0.05);

}  // namespace vaa::stats
