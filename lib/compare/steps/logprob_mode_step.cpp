// Raw logprobs against processed ones: then no step on logprobs can say anything, and the verdict on tokens is "not comparable".
#include "base/figures.h"
#include "compare/logprob_mode.h"
#include "compare/step.h"

namespace vaa {
namespace {

StepResult run(const ComparisonView& view) {
  if (!view.tokens) return not_applicable({"no token ids on both sides", "两侧没有都记录词元 id"});
  const ModeVerdict mode = mode_of(*view.tokens);
  const ModeFit& fit = view.tokens->fit;
  if (!mode.mixed && fit.n < kFewestForMode) {
    return not_applicable({"logprobs of the same token on both sides: " + counted(fit.n, "positions") + ", at least " + grouped(kFewestForMode) + " are needed", "两侧同一词元的对数概率仅 " + grouped(fit.n) + " 处，至少需要 " + grouped(kFewestForMode) + " 处"});
  }
  StepResult step;
  step.applies = true;
  step.n = fit.n;
  step.n_unit = "tokens";
  step.unit = "slope";
  step.effect = fit.slope;
  if (mode.mixed) {
    step.kind = "not_comparable";
    step.symptom = "logprob_mode";
    step.words = mode.words;
  } else {
    step.words = {"logprobs of both sides are of one kind: slope " + fixed(fit.slope, 3) + ", offset " + fixed(fit.offset, 3) + " nats, " + fixed(fit.rms, 3) + " left", "两侧对数概率为同一种：斜率 " + fixed(fit.slope, 3) + "，偏移 " + fixed(fit.offset, 3) + " nat，余差 " + fixed(fit.rms, 3)};
  }
  return step;
}

}  // namespace

extern const Step kLogprobModeStep;
const Step kLogprobModeStep = {"logprob_mode", "tokens", true, {"Raw or processed logprobs", "原始或处理后的对数概率"}, run};

}  // namespace vaa
