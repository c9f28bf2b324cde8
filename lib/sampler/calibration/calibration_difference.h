// The samplers of two runs beside each other: each is held against what was asked by its own logprobs, so that runs whose logits differ can be compared too.
#pragma once
#include <vector>

#include "sampler/calibration/calibration.h"

namespace vaa::sampler {

// One check of answers that both runs were asked for alike.
struct CheckDifference {
  JudgedCheck reference, target;
  double p = 1;  // one-sided, against "the target is no further off than the reference"; not looked at where the target passes
  // Against "the target is inside the margin, or the reference as far off": the larger p of the two, `checks` of them being looked at. 1 where something else explains the target's.
  double p_beyond(size_t checks) const;
};
// In the order of the target's groups; checks that apply on one side only, and what seeds do, are left out. Borrows from both.
std::vector<CheckDifference> calibration_differences(const Calibration& reference, const Calibration& target);

}  // namespace vaa::sampler
