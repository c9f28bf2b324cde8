// From steps to one verdict.
#pragma once
#include <string>
#include <vector>

#include "compare/step.h"

namespace vaa {

constexpr double kGateLevel = 0.05;

struct StepOutcome {
  const Step* step;
  StepResult result;
  StepStatus status = StepStatus::kNotApplicable;
  double p_adjusted = std::nan("");  // of p_beyond: the primary step's own, the others' under Holm
};
struct Decision {
  int code = 3;               // 0 pass, 1 worse, 2 not comparable, 3 undecided
  const char* name = "";      // equivalent, no_difference_found, worse, not_comparable, undecided
  Both reason;
  std::string primary;        // the family that is tested alone
  std::vector<StepOutcome> steps;
};

// `primary`: "score", "flags", or "" : score where it applies.
// The primary step is tested at 5 %, the other gates under Holm. Worse: a gate fires. Else undecided: the primary step is, or another step differs for certain and may lie beyond its margin, or a
// broken rate that was to be excluded is not, or over a tenth of the questions stand on one side only. Else it passes.
Decision decide(std::vector<StepOutcome> steps, const std::string& primary, const RunPairing& pairing);
Decision not_comparable(Both reason);

// Why two runs cannot be compared at all; "" : they can.
Both why_not_comparable(const RunSide& reference, const RunSide& target, const RunPairing& pairing, const Margins& margins);

}  // namespace vaa
