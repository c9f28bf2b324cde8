// The temperature that first tokens behave like with speculation and without: by the lists of the reference, which may be asked for logprobs where a speculating engine may not.
#include <algorithm>

#include "base/figures.h"
#include "base/math.h"
#include "compare/log_ratio.h"
#include "compare/openings.h"
#include "compare/step.h"
#include "stats/distributions.h"

namespace vaa {
namespace {

constexpr double kConfidence = 0.95;
constexpr double kMargin = 1.1;  // as vaa sampler has it

using Fit = sampler::TemperatureFit;

std::string shown(double t) { return fixed(t, t < 0.1 ? 3 : 2); }

// The standard error of log T, of the interval that the likelihood ratio gave.
LogEstimate log_of(const Fit::Estimate& e) {
  const double t = stats::student_upper_quantile((1 - kConfidence) / 2, static_cast<double>(e.answers - 1));
  return {math::log(e.temperature), (math::log(e.high) - math::log(e.low)) / (2 * t), static_cast<int64_t>(e.answers)};
}

bool inner(const Fit::Estimate& e) { return e.temperature > 0 && std::isfinite(e.temperature) && e.low > 0 && std::isfinite(e.high) && e.low < e.high; }

Both told(const Fit::Estimate& e) {
  const std::string n = grouped(static_cast<int64_t>(e.positions));
  return {shown(e.temperature) + " (95 % interval " + shown(e.low) + " to " + shown(e.high) + ", " + n + " tokens)", shown(e.temperature) + "（95% 区间 " + shown(e.low) + "–" + shown(e.high) + "，" + n + " 个词元）"};
}

StepResult run(const ComparisonView& view) {
  if (view.openings == nullptr) return not_applicable({"--change spec looks at it", "--change spec 时查看"});
  if (!view.openings[0].any_lists()) return not_applicable({"the reference has no lists of the likeliest tokens with its sampled answers: ask it, without speculation, with --top-logprobs 20; the speculating side is left alone", "参考侧的采样回答没有最可能词元的列表：关闭投机解码，以 --top-logprobs 20 询问参考侧；投机一侧无需改动"});
  Fit fits[2];
  uint64_t answer = 0;
  for (const SharedQuestion& q : view.shared()) {
    for (const int side : {0, 1}) {
      for (const Opening& o : view.openings[side].of(side == 0 ? q.reference : q.target)) view.openings[0].add_to_fit(q.reference, o, answer++, &fits[side]);
    }
  }
  if (fits[0].answers() < 2 || fits[1].answers() < 2) return not_applicable({"fewer than two answers of a side begin with tokens that the lists hold", "一侧中开头词元在列表内的回答不足两个"});
  const Fit::Estimate reference = fits[0].estimate(kConfidence), target = fits[1].estimate(kConfidence);
  StepResult step;
  step.unit = "log_ratio";
  step.n_unit = "tokens";
  if (!inner(reference)) return not_applicable({"the reference's own tokens tell no temperature: " + told(reference).en, "参考侧自身的词元无法给出温度：" + told(reference).zh});
  const double margin = math::log(kMargin);
  if (inner(target)) {
    const Effect effect = log_ratio(log_of(reference), log_of(target));
    take_effect(&step, effect);
    step.p_beyond = std::min(p_above(effect, margin), p_below(effect, margin));
    step.inside = effect.lower > -margin && effect.upper < margin;
  } else {
    const bool colder = target.temperature < reference.temperature;
    step.applies = true;
    step.lower = colder ? -INFINITY : math::log(target.low / reference.temperature);
    step.upper = colder ? math::log(target.high / reference.temperature) : INFINITY;
    step.p = std::min(1.0, 2 * fits[1].tail(target, reference.temperature));
    step.p_beyond = std::min(1.0, 2 * fits[1].tail(target, colder ? reference.low / kMargin : reference.high * kMargin));
  }
  step.n = static_cast<int64_t>(target.positions);
  step.margin = margin;
  const Both a = told(reference), b = told(target), p = p_words(step.p);
  step.words = {"the reference's first tokens behave like temperature " + a.en + ", the target's like " + b.en + ", " + p.en, "参考侧开头词元相当于温度 " + a.zh + "，目标侧相当于 " + b.zh + "，" + p.zh};
  if (!step.inside && inner(target)) {
    const double times = step.detectable / margin;
    step.questions_needed = std::max<int64_t>(step.n + 1, static_cast<int64_t>(std::ceil(static_cast<double>(step.n) * times * times)));
    step.needed = {"about " + counted(step.questions_needed, "tokens") + " would tell a temperature that is 10 % off", "约 " + grouped(step.questions_needed) + " 个词元可分辨 10% 的温度偏差"};
  }
  if (step.p < 0.05) step.symptom = "opening_law";
  leave_open_by_seeds(view, &step);
  return step;
}

}  // namespace

extern const Step kOpeningTemperatureStep;
const Step kOpeningTemperatureStep = {"opening_temperature", "law", true, {"Effective temperature of the first tokens", "前几个词元的实际温度"}, run};

}  // namespace vaa
