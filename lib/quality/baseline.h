// A run's broken answers against those of another run, or against k of n.
#pragma once
#include <string>
#include <vector>

#include "quality/tally_state.h"
#include "report/check.h"

namespace vaa {

// The excess of broken answers that is small enough to call two runs equal; the rate at which healthy engines loop.
constexpr double kBaselineMargin = 0.01;

struct BaselineResult {
  std::string name;              // of the run; "" for k/n
  int64_t broken = 0, all = 0;   // of the baseline
  int64_t pairs = 0;             // over 0: paired by question
  int64_t clean_needed = -1;     // clean answers that exclude the baseline's rate at 95 %; -1: it has no broken answer
  std::vector<Check> checks;     // "broken" first: any certain finding of severity fail; then each flag that either run has
  Said words;
};

// Worse is a p below 5 % (Fisher, or McNemar where at least 90 % of the questions of both runs are the same and have one answer each), under Holm over all of them.
// Not worse is an interval of the excess of broken answers below the margin. Anything else is undecided, with the answers that would decide.
// Linear but for sorting.
BaselineResult compare_with_baseline(const Tally::State& state);

}  // namespace vaa
