// "Is it fixed": broken answers of the target against a known rate, option baseline.
#include "base/figures.h"
#include "compare/step.h"
#include "stats/sequential.h"

namespace vaa {
namespace {

StepResult run(const ComparisonView& view) {
  if (view.known_all <= 0) return not_applicable({"no rate from before was given: --baseline k/n", "没有给出以前的比例：--baseline k/n"});
  const int64_t n = view.target.count([](const RunRow& r) { return r.has_output; }), k = view.target.count([](const RunRow& r) { return r.broken; });
  if (n == 0) return not_applicable({"the target has no answer", "目标没有回答"});
  const double rate = static_cast<double>(view.known_broken) / static_cast<double>(view.known_all);
  const stats::Interval interval = stats::confidence_sequence(k, n, 0.95);
  StepResult step;
  step.applies = true;
  step.unit = "share";
  step.n_unit = "answers";
  step.n = n;
  const double now = static_cast<double>(k) / static_cast<double>(n);
  step.effect = now - rate;
  step.lower = interval.low - rate;
  step.upper = interval.high - rate;
  step.p = stats::e_value(k, n, rate).p;
  step.inside = step.better = interval.high < rate;
  step.words = {grouped(k) + " of " + grouped(n) + " answers are broken, " + grouped(view.known_broken) + " of " + grouped(view.known_all) + " were: ", grouped(n) + " 个回答中 " + grouped(k) + " 个损坏，以前 " + grouped(view.known_all) + " 个中 " + grouped(view.known_broken) + " 个："};
  if (step.inside) {
    step.words.en += "the old rate of " + percent(rate) + " is excluded";
    step.words.zh += "已排除以前的比例 " + percent(rate, true);
  } else if (interval.low > rate) {
    step.words.en += "more than before";
    step.words.zh += "比以前多";
  } else {
    step.words.en += "the old rate of " + percent(rate) + " is not excluded";
    step.words.zh += "尚未排除以前的比例 " + percent(rate, true);
    const int64_t needed = stats::clean_runs_needed_anytime(rate);
    if (k == 0) {
      step.questions_needed = needed - n;
      step.needed = {counted(needed - n, "clean answers") + " more would exclude it", "再有 " + grouped(needed - n) + " 个正常回答即可排除"};
    } else {
      step.questions_needed = needed;
      step.needed = {"after the next fix " + counted(needed, "clean answers") + " in a row would exclude it", "再次修复后连续 " + grouped(needed) + " 个正常回答即可排除"};
    }
  }
  step.section.lines.push_back({{"valid whenever one looks and stops (e-value, confidence sequence of 95 %): the old rate is taken as exact", "任何时候查看与停止都有效（e 值，95% 置信序列）：以前的比例视为准确值"}, "", "", "", "faint"});
  return step;
}

}  // namespace

extern const Step kFixedStep;
const Step kFixedStep = {"fixed", "fixed", true, {"Is it fixed", "是否修复"}, run};

}  // namespace vaa
