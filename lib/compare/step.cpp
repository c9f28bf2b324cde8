#include "compare/step.h"

#include "base/figures.h"

namespace vaa {

const char* step_status_name(StepStatus status) {
  switch (status) {
    case StepStatus::kPass: return "pass";
    case StepStatus::kFail: return "fail";
    case StepStatus::kUndecided: return "undecided";
    case StepStatus::kShown: return "shown";
    default: return "not_applicable";
  }
}

void take_effect(StepResult* step, const Effect& effect) {
  step->applies = true;
  step->effect = effect.value;
  step->lower = effect.lower;
  step->upper = effect.upper;
  step->p = effect.p;
  step->n = effect.n;
  step->detectable = detectable_effect(effect);
}

Both points_words(double value, double lower, double upper) {
  return {points(value) + " points (95 % interval " + points(lower) + " to " + points(upper) + ")", points(value) + " 个百分点（95% 区间 " + points(lower) + " 至 " + points(upper) + "）"};
}

Both p_words(double p) {
  const std::string text = p < 0.0001 ? "p < 0.0001" : "p = " + fixed(p, p < 0.01 ? 4 : p < 0.1 ? 3 : 2);
  return {text, text};
}


StepResult not_applicable(Both why) {
  StepResult step;
  step.words = std::move(why);
  return step;
}

}  // namespace vaa
