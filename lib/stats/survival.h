// Time until an event that not everyone has: the first divergence of two outputs, where an output that ends before any is censored and a prompt that is long
// enters late. Times are finite, in any unit. What is out of range is a Failure (VAA_ERROR_ARGUMENT). Cost n log n; the same bits in any order of the subjects.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace vaa::stats {

// Subject i is at risk at the times t with entries[i] < t <= exits[i]; events[i] is 1 where it had its event at exits[i], 0 where it was censored there. No entries
// at all: everyone is at risk from the beginning.
struct Subjects {
  std::span<const double> entries;
  std::span<const double> exits;
  std::span<const uint8_t> events;
};

struct SurvivalStep {
  double time = 0;
  int64_t at_risk = 0;
  int64_t events = 0;
  double survival = 1;        // after this time (Kaplan and Meier 1958): the product of (1 - events / at_risk)
  double standard_error = 0;  // Greenwood's: survival sqrt(sum of events / (at_risk (at_risk - events))); NaN where survival is 0
  double hazard = 0;          // cumulative (Nelson 1969, Aalen 1978): the sum of events / at_risk
};
struct SurvivalCurve {
  std::vector<SurvivalStep> steps;  // one for each time at which there were events
  double median = 0;                // the first time from which survival is at most 1/2; infinity where it stays above
};
SurvivalCurve kaplan_meier(const Subjects& subjects);

// The mean time until the event or `horizon`, whichever is first: the area under the curve over [0, horizon]. For times from 0 on; the horizon may be beyond
// the last exit only where nobody survives.
struct RestrictedMean {
  double mean = 0;
  double standard_error = 0;  // sqrt of the sum over steps of (area from there to the horizon)^2 events / (at_risk (at_risk - events))
};
RestrictedMean restricted_mean(const Subjects& subjects, double horizon);

// Whether two groups have the same curve (Mantel 1966). No events at risk in both: chi2 0, p 1.
struct LogRank {
  int64_t observed = 0;  // events of the first group
  double expected = 0;   // of the first group, if the curves are the same
  double variance = 0;   // hypergeometric
  double chi2 = 0;       // (observed - expected)^2 / variance, one degree of freedom
  double p = 1;
};
LogRank log_rank(const Subjects& first, const Subjects& second);

}  // namespace vaa::stats
