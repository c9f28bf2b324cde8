// Exact tests on counts. p values are two-sided unless said. What is out of range is a Failure (VAA_ERROR_ARGUMENT).
#pragma once
#include <cstdint>

#include "stats/intervals.h"

namespace vaa::stats {

// McNemar's test on pairs: b right only the first time, c only the second. b = c gives 1.
double mcnemar_exact(int64_t b, int64_t c);          // 2 P(Bin(b + c, 1/2) <= min(b, c)): the gate
double mcnemar_mid_p(int64_t b, int64_t c);          // less the probability of the observed table: to show
double mcnemar_exact_greater(int64_t b, int64_t c);  // one-sided, P(Bin(b + c, 1/2) >= b): the first is the better one
double mcnemar_chi2(int64_t b, int64_t c);           // (|b - c| - 1)^2 / (b + c), 0 for b = c

// b / c with the interval of Clopper and Pearson for b / (b + c), taken to odds. b = c = 0: NaN; c = 0: infinity.
struct OddsRatio {
  double ratio = 0;
  Interval interval;
};
OddsRatio mcnemar_odds_ratio(int64_t b, int64_t c, double confidence = 0.95);

// Fisher's test on two independent groups, a against b in the first and c against d in the second; the cells' sum is at most 2^53. Two-sided: the sum over the
// tables that are not likelier than this one.
double fisher_exact(int64_t a, int64_t b, int64_t c, int64_t d);
double fisher_exact_greater(int64_t a, int64_t b, int64_t c, int64_t d);  // one-sided: a's rate is higher in the first group
double fisher_exact_less(int64_t a, int64_t b, int64_t c, int64_t d);

}  // namespace vaa::stats
