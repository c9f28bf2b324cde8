// How well a rate of accepted draft tokens is known. Draft tokens of one request are alike, and requests last over several windows: the variance comes from windows, not from a binomial law.
#pragma once
#include <cmath>
#include <span>
#include <vector>

#include "reject/spec_counts.h"
#include "stats/intervals.h"

namespace vaa {

// Accepted among draft tokens in one window; `fitted` is the rate that its mean is taken to be.
struct RateCell {
  double n = 0, k = 0;
  double fitted = 0;
};

// By how much the variance of a sum of cells exceeds that of independent draft tokens: residuals k - n fitted, summed over blocks of 1, 2, 4, … neighbours while 8 blocks are left; the largest ratio of their
// squares, B / (B - parameters) sum r^2, to sum n fitted (1 - fitted); at least 1. Requests that outlast the blocks: covariances c_1 and c_2 of neighbours that fall geometrically, c_0 + 2 c_1 / (1 - c_2 / c_1), where that is
// more. Fewer than 8 cells cannot tell: kUnknownDesign.
struct Design {
  double factor = 1;
  double df = 7;          // of the t law that goes with it
  bool measured = false;
};
constexpr double kUnknownDesign = 10;  // docs/reject.md: requests whose own rates lie 0.1 apart, 200 draft tokens each
constexpr size_t kLeastCells = 8;
Design design_of(std::span<const RateCell> cells, double parameters);

struct AcceptanceRate {
  double n = 0, k = 0;                 // draft tokens, accepted
  double rate = std::nan("");
  double variance = std::nan("");      // of the rate
  Design design;
  stats::Interval interval;            // 95 %
};
// Windows with draft tokens of a series, as cells, in their order; `window` gets the index of each.
std::vector<RateCell> cells_of(const SpecSeries& series, std::vector<size_t>* window = nullptr);
AcceptanceRate acceptance_rate(std::span<const RateCell> cells);

// A difference of two rates with its interval at `confidence` and the one-sided p of "it is not below -margin" (Welch's degrees of freedom).
struct RateFall {
  double difference = 0, low = 0, high = 0;
  double p = 1;
  double standard_error = 0, df = 1;
};
RateFall rate_fall(double difference, double variance_a, double df_a, double variance_b, double df_b, double margin, double confidence);
// r (1 - r) / n with one success and one failure more, which is never 0.
double rate_variance(double k, double n);

}  // namespace vaa
