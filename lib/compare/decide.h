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
  bool gates = false;                // the step's own, but for distances of tokens where the margins gate none
  double p_adjusted = std::nan("");  // of p_beyond: of the primary family and of the others, each under Holm
  double p_differs = std::nan("");   // of p, in the same way
};
struct Decision {
  int code = 3;                    // 0 pass, 1 worse, 2 not comparable, 3 undecided
  const char* name = "";           // identical, equivalent, no_difference_found, worse, not_comparable, undecided
  std::vector<const char*> kinds;  // worse: rows of verdict_kind_table(), the one that explains the rest first; equivalent by tokens: equivalent_within_noise
  Both reason;
  std::string primary;             // the family that is tested alone: score, tokens, flags, law
  std::vector<StepOutcome> steps;
  std::string ask;                 // ask_plan(); "" : none
};

// `primary`: "score", "tokens", "flags", "law", or "" : score where it applies, else law where it can be tested, else tokens where the reference was held against itself or logprobs cannot be, else flags.
// The steps of the primary family share 5 % under Holm, the other gates another 5 %; one p a step. Worse: a gate fires. Else undecided: the first step of the primary family that can be tested is, or another differs for
// certain and may lie beyond its margin, or a broken rate that was to be excluded is not, or over a tenth of the questions stand on one side only. Else it passes. Token distances pass as equivalent only
// where the reference against itself was measured and varied, and all of them lie inside their margins.
Decision decide(std::vector<StepOutcome> steps, const std::string& primary, const ComparisonView& view);
Decision not_comparable(Both reason);

// Whatever ways lead there.
bool same_file(const std::string& a, const std::string& b);

// Why two runs cannot be compared at all; "" : they can.
Both why_not_comparable(const RunSide& reference, const RunSide& target, const RunPairing& pairing, const Margins& margins);

}  // namespace vaa
