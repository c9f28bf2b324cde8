// The difference between two runs in one number a question or in one kind of answer: its size, its interval at any confidence, its p. Target less reference throughout.
#pragma once
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>

#include "stats/intervals.h"

namespace vaa {

struct Effect {
  int64_t n = 0;                       // questions; of rates: answers of the target
  double value = std::nan("");
  double lower = std::nan(""), upper = std::nan("");  // 95 %
  double p = std::nan("");             // two-sided, against no difference
  double shown_p = std::nan("");       // the same to show: McNemar's mid-p
  double error = std::nan("");         // standard error
  std::function<stats::Interval(double confidence)> at;  // the interval at another confidence
  bool known() const { return !std::isnan(value); }
};

// One number a question on each side: t test and interval on the differences. Where no question differs, the interval is what the rule of three leaves, of differences of up to 1.
Effect effect_of_means(std::span<const double> reference, std::span<const double> target);
// The same questions answered once each: McNemar's exact test, Newcombe's interval.
Effect effect_of_pairs(int64_t both, int64_t only_reference, int64_t only_target, int64_t neither);

// k of n answers, the questions their clusters: the design effect of the clustered standard error shrinks both counts (Rao and Scott 1992).
struct ClusteredRate {
  int64_t k = 0, n = 0;
  double design = 1;   // at least 1
};
ClusteredRate clustered_rate(std::span<const double> values, std::span<const int64_t> questions);
// Greedy repeats of a question say the same again: where all or none of the answers count, which leaves nothing to estimate a design effect by, n of them are `distinct` answers.
void count_repeats_once(int64_t distinct, ClusteredRate* rate);
// A rate as k of n independent answers would say it; neither need be whole.
struct EffectiveRate {
  double rate = 0, k = 0, n = 0;
};
// Newcombe's interval and Fisher's test on the counts of so many answers: right for rare ones, where a mean of differences is not; as if the two were independent, which is on the safe side.
Effect effect_of_rates(const EffectiveRate& reference, const EffectiveRate& target);
// The same of counts that are shrunk by their design.
Effect effect_of_rates(const ClusteredRate& reference, const ClusteredRate& target);
// One share against 0: Clopper and Pearson's interval on the shrunk counts; p is that of a sign test, as McNemar's with all pairs on one side.
Effect effect_of_share(const ClusteredRate& rate);

// The smallest level at which the two-sided interval lies wholly above `margin`: p against "no more than the margin". 1 where the effect does not reach it.
double p_above(const Effect& effect, double margin);
// The same of lying below -margin.
double p_below(const Effect& effect, double margin);

// The difference that two-sided tests at 5 % see in 80 % of such comparisons.
double detectable_effect(const Effect& effect);

}  // namespace vaa
