// How long greedy answers stay together. Where only ids are recorded it is the evidence, by the ratio of hazards; else it is shown.
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
stats::Subjects subjects_of(const std::vector<double>& lengths, const Divergences& d) { return {{}, lengths, d.events}; }

// Kaplan and Meier's survival after `time`, with how many are at risk until then.
std::string survival_text(const stats::SurvivalCurve& curve, const std::vector<double>& lengths, double time) {
  const auto at_risk = std::count_if(lengths.begin(), lengths.end(), [&](double l) { return l >= time; });
  if (at_risk == 0) return "–";
  double survival = 1;
  for (const stats::SurvivalStep& s : curve.steps) {
    if (s.time <= time) survival = s.survival;
  }
  return percent(survival) + " (" + grouped(at_risk) + ")";
}

std::string median_text(const stats::SurvivalCurve& curve) { return std::isfinite(curve.median) ? grouped(static_cast<int64_t>(curve.median)) : "–"; }

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

bool any_gap(const ComparisonView& view) {
  return std::any_of(view.tokens->rows.gap.begin(), view.tokens->rows.gap.end(), [](float gap) { return gap >= 0; });
}

StepResult run(const ComparisonView& view) {
  if (Both why = why_no_greedy(view); !why.en.empty()) return not_applicable(std::move(why));
  const Divergences target = divergences_of(*view.tokens);
  if (target.exits.empty()) return not_applicable({"no free greedy answers with a compared token", "没有可比较词元的自由贪心回答"});
  const bool known = view.noise && !view.noise->divergences.exits.empty();
  const Divergences none, &self = known ? view.noise->divergences : none;
  const std::vector<double> target_lengths = lengths_of(target), self_lengths = lengths_of(self);
  const stats::SurvivalCurve curve = stats::kaplan_meier(subjects_of(target_lengths, target));
  const stats::SurvivalCurve own = known ? stats::kaplan_meier(subjects_of(self_lengths, self)) : stats::SurvivalCurve{};
  StepResult step;
  step.applies = true;
  const auto parted = std::count(target.events.begin(), target.events.end(), 1);
  const std::string part = grouped(parted) + " / " + grouped(static_cast<int64_t>(target.exits.size()));
  step.words = {"answers that part: " + part + ", half of them within " + median_text(curve) + " tokens", "分开的回答：" + part + "，半数在 " + median_text(curve) + " 个词元之内"};
  if (!std::isfinite(curve.median)) step.words = {"answers that part: " + part + "; over half stay together to the end", "分开的回答：" + part + "；半数以上始终一致"};
  if (known && !view.noise->identical) {
    if (const Effect effect = hazard_ratio(self, target); effect.known()) {
      take_ratio(&step, effect, view.margins.sigma_ratio);
      const Both size = ratio_words(step);
      step.words.en += "; they part " + size.en + " times as often a token as the reference from itself";
      step.words.zh += "；每词元分开的频率为参考侧与自身的 " + size.zh;
      const bool repeats = repeated(target) || repeated(self);
      const double p = repeats ? effect.p : stats::log_rank(subjects_of(target_lengths, target), subjects_of(self_lengths, self)).p;
      step.words.en += (repeats ? ", " : "; log-rank ") + p_words(p).en;
      step.words.zh += (repeats ? "，" : "；对数秩检验 ") + p_words(p).zh;
      if (any_gap(view)) {
        step.p_beyond = std::nan("");
        step.p = p;
      } else {
        say_questions_needed(effect, step.margin, &step);
        if (step.p_beyond < 0.05) step.symptom = "parts_sooner";
        step.section.lines.push_back({{"ids alone: how often answers part stands for the noise, held to the margin of its ratio; exact ties draw the ratio towards 1, logprobs with the 20 likeliest tokens tell more", "仅有 id：以分开的频率代表噪声，并以噪声比的界限衡量；完全并列会使比值趋近 1，记录 20 个最可能词元的对数概率可得到更多信息"}, "", "", "", "unsure"});
      }
    }
  } else {
    const Both why = known ? how_to_vary() : Both{"--aa RUN: the reference once more", "--aa RUN：参考侧再运行一次"};
    step.needed = why;
  }
  step.n = static_cast<int64_t>(target.exits.size());
  step.n_unit = "answers";
  step.section.columns = {{"together after (at risk)", "仍然一致（在险数）"}, {"reference against itself", "参考侧与自身"}, {"reference against target", "参考侧与目标侧"}};
  step.section.right = {false, true, true};
  const double last = *std::max_element(target_lengths.begin(), target_lengths.end());
  for (double time = 1; time <= last; time *= 4) {
    const std::string n = grouped(static_cast<int64_t>(time));
    step.section.rows.push_back({{{n + (time == 1 ? " token" : " tokens"), n + " 个词元"}, percent_words(known ? survival_text(own, self_lengths, time) : "–"), percent_words(survival_text(curve, target_lengths, time))}, "plain"});
  }
  NumberTable numbers{"survival", {{"target", {}}, {"time", {}}, {"at_risk", {}}, {"events", {}}, {"survival", {}}, {"standard_error", {}}}};
  add_numbers(0, own, &numbers);
  add_numbers(1, curve, &numbers);
  step.numbers.push_back(std::move(numbers));
  return step;
}

}  // namespace

extern const Step kSurvivalStep;
const Step kSurvivalStep = {"survival", "tokens", true, {"How long greedy answers stay together", "贪心回答一致多久"}, run};

}  // namespace vaa
