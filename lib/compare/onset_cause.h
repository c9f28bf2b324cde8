// What engines do otherwise from a position on, for an onset whose interval holds such a number.
#pragma once
#include "compare/step.h"

namespace vaa {

struct OnsetCause {
  Both words;          // "4,096: engine.sliding_window lies in it"; "" : no such number lies in it
  bool block = false;  // a multiple of a block or chunk, and no single number
};
// For an onset in (lo, hi]: numbers that the headers of the runs record; else a common limit, where a single one lies in it, or a multiple of a block whose chance of lying there is at most a quarter.
OnsetCause onset_cause(const ComparisonView& view, int64_t lo, int64_t hi);

}  // namespace vaa
