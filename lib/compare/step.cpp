#include "compare/step.h"

#include <string_view>
#include <utility>

#include "base/figures.h"
#include "base/math.h"

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

Both percent_words(const std::string& text) {
  Both out = plain(text);
  for (const auto& [from, to] : {std::pair<std::string_view, std::string_view>{" %", "%"}, {" to ", "–"}}) {
    for (size_t at = out.zh.find(from); at != std::string::npos; at = out.zh.find(from, at)) out.zh.replace(at, from.size(), to);
  }
  return out;
}

Both range_words(const StepResult& step) {
  const auto both = [&](const std::string& low, const std::string& high, const Both& unit) { return Both{low + " to " + high + unit.en, low + " 至 " + high + unit.zh}; };
  const std::string_view unit = step.unit;
  if (unit == "share") return both(points(step.lower), points(step.upper), {" points", " 个百分点"});
  if (unit == "log_ratio") return both(fixed(math::exp(step.lower), 2), fixed(math::exp(step.upper), 2), {" times", " 倍"});
  if (unit == "ratio") return both(fixed(step.lower, 2), fixed(step.upper, 2), {" times", " 倍"});
  return both(fixed(step.lower, 4), fixed(step.upper, 4), unit == "mmd2" ? Both{} : Both{" nats", " nat"});
}

Both margin_words(const StepResult& step) {
  const std::string_view unit = step.unit;
  if (unit == "share") return {points(step.margin) + " points", points(step.margin) + " 个百分点"};
  if (unit == "nats") return {fixed(step.margin, 4) + " nats", fixed(step.margin, 4) + " nat"};
  if (unit == "mmd2") return plain(fixed(step.margin, 4));
  return plain(fixed(unit == "log_ratio" ? math::exp(step.margin) : step.margin, 2));
}

StepResult not_applicable(Both why) {
  StepResult step;
  step.words = std::move(why);
  return step;
}

void leave_open_by_seeds(const ComparisonView& view, StepResult* step) {
  if (!view.openings[0].shares_seeds() && !view.openings[1].shares_seeds()) return;
  step->p = step->p_beyond = 1;  // the least that is claimed
  step->detectable = std::nan("");
  step->inside = false;
  step->questions_needed = -1;
  step->symptom = "";
  step->open = {"answers to several questions have the same seed and draw the same numbers, so that chance moves all of these questions together", "多道题的回答使用同一种子、抽到相同的随机数，偶然偏差会同时影响这些题"};
  step->needed = {"the same requests without a seed, or each with one of its own", "去掉请求中的种子，或让每个请求各用一个种子"};
}

}  // namespace vaa
