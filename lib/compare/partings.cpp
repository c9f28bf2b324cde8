#include "compare/partings.h"

#include <algorithm>

#include "base/figures.h"
#include "compare/token_gates.h"
#include "stats/survival.h"

namespace vaa {
namespace {

// By the index in the output: every answer is at risk from its first token.
std::vector<double> lengths_of(const Divergences& d) {
  std::vector<double> out;
  for (size_t i = 0; i < d.exits.size(); ++i) out.push_back(d.exits[i] - d.entries[i]);
  return out;
}

struct Curve {
  std::vector<double> lengths;
  stats::SurvivalCurve curve;
};
Curve curve_of(const Divergences& d) {
  Curve out{lengths_of(d), {}};
  if (!out.lengths.empty()) out.curve = stats::kaplan_meier({{}, out.lengths, d.events});
  return out;
}

// Kaplan and Meier's survival after `time`, with how many are at risk until then.
std::string survival_text(const Curve& c, double time) {
  const auto at_risk = std::count_if(c.lengths.begin(), c.lengths.end(), [&](double l) { return l >= time; });
  if (at_risk == 0) return "–";
  double survival = 1;
  for (const stats::SurvivalStep& s : c.curve.steps) {
    if (s.time <= time) survival = s.survival;
  }
  return percent(survival) + " (" + grouped(at_risk) + ")";
}

void add_numbers(double target, const stats::SurvivalCurve& curve, NumberTable* table) {
  for (const stats::SurvivalStep& s : curve.steps) {
    const double values[] = {target, s.time, static_cast<double>(s.at_risk), static_cast<double>(s.events), s.survival, s.standard_error};
    for (size_t i = 0; i < table->columns.size(); ++i) table->columns[i].second.push_back(values[i]);
  }
}

// Repeats of a question part together: the log-rank test, which knows no clusters, would find a difference between equal runs in one of five.
bool repeated(const Divergences& d) {
  std::vector<int32_t> questions = d.questions;
  std::sort(questions.begin(), questions.end());
  return std::adjacent_find(questions.begin(), questions.end()) != questions.end();
}

void take_hazards(const Divergences& target, const Divergences& self, double margin, Partings* out) {
  out->ratio = hazard_ratio(self, target);
  if (!out->ratio.known()) return;
  take_ratio(&out->step, out->ratio, margin);
  const bool repeats = repeated(target) || repeated(self);
  const std::vector<double> a = lengths_of(target), b = lengths_of(self);
  out->p = repeats ? out->ratio.p : stats::log_rank({{}, a, target.events}, {{}, b, self.events}).p;
  const Both size = ratio_words(out->step), p = p_words(out->p);
  out->step.words.en += "; they part " + size.en + " times as often a token as the reference from itself" + (repeats ? ", " : "; log-rank ") + p.en;
  out->step.words.zh += "；每词元分开的频率为参考侧与自身的 " + size.zh + (repeats ? "，" : "；对数秩检验 ") + p.zh;
}

void fill_table(const Curve& own, const Curve& target, Section* section) {
  section->columns = {{"together after (at risk)", "仍然一致（在险数）"}, {"reference against itself", "参考侧与自身"}, {"reference against target", "参考侧与目标侧"}};
  section->right = {false, true, true};
  const double last = *std::max_element(target.lengths.begin(), target.lengths.end());
  for (double time = 1; time <= last; time *= 4) {
    const std::string n = grouped(static_cast<int64_t>(time));
    section->rows.push_back({{{n + (time == 1 ? " token" : " tokens"), n + " 个词元"}, percent_words(survival_text(own, time)), percent_words(survival_text(target, time))}, "plain"});
  }
}

}  // namespace

Partings partings_of(const Divergences& target, const Divergences* self, bool identical, double margin) {
  const Curve curve = curve_of(target), own = self ? curve_of(*self) : Curve{};
  Partings out;
  StepResult& step = out.step;
  step.applies = true;
  step.n = static_cast<int64_t>(target.exits.size());
  step.n_unit = "answers";
  const std::string part = grouped(std::count(target.events.begin(), target.events.end(), 1)) + " / " + grouped(step.n);
  step.words = {"answers that part: " + part + "; over half stay together to the end", "分开的回答：" + part + "；半数以上始终一致"};
  if (std::isfinite(curve.curve.median)) {
    const std::string median = grouped(static_cast<int64_t>(curve.curve.median));
    step.words = {"answers that part: " + part + ", half of them within " + median + " tokens", "分开的回答：" + part + "，半数在 " + median + " 个词元之内"};
  }
  if (!self) step.needed = {"--aa RUN: the reference once more", "--aa RUN：参考侧再运行一次"};
  else if (identical) step.needed = how_to_vary();
  else take_hazards(target, *self, margin, &out);
  fill_table(own, curve, &step.section);
  NumberTable numbers{"survival", {{"target", {}}, {"time", {}}, {"at_risk", {}}, {"events", {}}, {"survival", {}}, {"standard_error", {}}}};
  add_numbers(0, own.curve, &numbers);
  add_numbers(1, curve.curve, &numbers);
  step.numbers.push_back(std::move(numbers));
  return out;
}

}  // namespace vaa
