// Whether the target differs from itself by more than the reference does: batches, schedule, races.
#include <algorithm>

#include "base/figures.h"
#include "compare/token_gates.h"

namespace vaa {
namespace {

void add_row(const Both& name, const NoiseProfile& noise, StepResult* step) {
  const std::string sigma = std::isfinite(noise.sigma.sigma) ? fixed(noise.sigma.sigma, 4) : "–";
  step->section.rows.push_back({{name, plain(grouped(noise.diverged) + " / " + grouped(noise.pairs)), plain(sigma), plain(rate_text(noise.suspects)), plain(rate_text(noise.first_other))}, "plain"});
}

StepResult shown(Both words) {
  StepResult step;
  step.applies = true;
  step.words = std::move(words);
  step.needed = how_to_vary();
  return step;
}

StepResult run(const ComparisonView& view) {
  if (!view.target_noise) return not_applicable({"the target was not run again (--aa-target RUN)", "目标侧没有重跑（--aa-target RUN）"});
  if (!view.noise) return not_applicable({"the reference was not run again (--aa RUN): how much the target may differ from itself is not known", "参考侧没有重跑（--aa RUN）：不知道目标侧与自身的差异可以有多大"});
  const NoiseProfile &self = *view.noise, &target = *view.target_noise;
  if (self.pairs == 0 || target.pairs == 0) return not_applicable({"no greedy answers in the repeated runs", "重跑中没有贪心回答"});
  const std::string parted = grouped(target.diverged) + " / " + grouped(target.pairs);
  StepResult step;
  if (target.identical) {
    step = shown({"the target run again is identical", "目标侧重跑完全相同"});
    step.needed = {};
  } else if (self.identical) {
    step = shown({"the target parts from itself in " + parted + " answers; the reference run again is identical, which measures nothing unless it was varied alike", "目标侧与自身在 " + parted + " 个回答上分开；参考侧重跑完全相同，除非以同样方式改变条件，否则什么也没有测到"});
  } else {
    const bool gaps = self.sigma.tokens > 0 && target.sigma.tokens > 0;
    const Effect effect = gaps ? scale_ratio(self.sigma, target.sigma) : hazard_ratio(self.divergences, target.divergences);
    if (!effect.known()) {
      step = shown({"neither run parts from itself: nothing to compare", "两侧都不与自身分开：没有可比较的内容"});
    } else {
      take_ratio(&step, effect, view.margins.sigma_ratio);
      const Both size = ratio_words(step), what = gaps ? Both{"token noise", "词元噪声"} : Both{"hazard of parting", "分开的频率"};
      step.words = {what.en + " of the target against itself is " + size.en + " times the reference's, " + p_words(step.p).en, "目标侧与自身的" + what.zh + "为参考侧的 " + size.zh + "，" + p_words(step.p).zh};
      say_questions_needed(effect, step.margin, &step);
      if (step.p_beyond < 0.05) step.symptom = "target_varies";
    }
  }
  step.kind = "batch_or_schedule_dependent";
  step.n = target.pairs;
  step.n_unit = "answers";
  step.section.columns = {{"against itself", "与自身"}, {"parted", "分开"}, {"sigma, nats", "sigma，nat"}, {"suspect", "可疑"}, {"other first tokens", "首个词元不同"}};
  step.section.right = {false, true, true, true, true};
  add_row({"reference", "参考侧"}, self, &step);
  add_row({"target", "目标侧"}, target, &step);
  return step;
}

}  // namespace

extern const Step kTargetNoiseStep;
const Step kTargetNoiseStep = {"target_noise", "tokens", true, {"The target against itself", "目标侧与自身"}, run};

}  // namespace vaa
