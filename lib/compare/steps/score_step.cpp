// The headline: mean score over the shared questions.
#include <algorithm>
#include <map>

#include "base/figures.h"
#include "compare/step.h"
#include "compare/subject_effect.h"
#include "quality/subjects.h"
#include "stats/means.h"
#include "stats/power.h"

namespace vaa {
namespace {

// The scores of one question on one side.
struct Bag {
  double mean = 0, variance = 0;  // variance with divisor n - 1; 0 for one
  int64_t n = 0;
};
Bag bag_of(const RunSide& side, const std::vector<int32_t>& rows) {
  Bag bag;
  double sum = 0, squares = 0;
  for (const int32_t r : rows) {
    const double score = side.row(r).score;
    if (std::isnan(score)) continue;
    bag.n += 1;
    sum += score;
  }
  if (bag.n == 0) return bag;
  bag.mean = sum / static_cast<double>(bag.n);
  for (const int32_t r : rows) {
    const double d = side.row(r).score - bag.mean;
    if (!std::isnan(d)) squares += d * d;
  }
  if (bag.n > 1) bag.variance = squares / static_cast<double>(bag.n - 1);
  return bag;
}

struct Scores {
  std::vector<double> reference, target;        // means of questions
  std::vector<int32_t> subjects;                // of questions: numbers of their datasets
  int32_t datasets = 0;
  std::string group;                            // all datasets are subjects of one benchmark, whose score is their mean; "" : not so
  int64_t answers_reference = 0, answers_target = 0, unscored = 0;
  int64_t both = 0, only_reference = 0, only_target = 0, neither = 0;
  bool one_each = true, zeros_and_ones = true, share = true;
  stats::RepeatedDesign design;                 // mean within variances and harmonic mean repeats
  bool repeated = false;                        // on both sides
};

void note_range(const RunSide& side, const std::vector<int32_t>& rows, Scores* s) {
  for (const int32_t r : rows) {
    const double score = side.row(r).score;
    if (std::isnan(score)) continue;
    s->zeros_and_ones = s->zeros_and_ones && (score == 0 || score == 1);
    s->share = s->share && score >= 0 && score <= 1;
  }
}

// Each side's files may name the group.
std::string group_of(const ComparisonView& view, const std::string& dataset) {
  std::string group = subject_group(dataset, view.reference.scores);
  return group.empty() ? subject_group(dataset, view.target.scores) : group;
}

Scores scores_of(const ComparisonView& view) {
  Scores s;
  std::map<std::string, int32_t> numbers;
  double within_a = 0, within_b = 0, inverse_a = 0, inverse_b = 0;
  int64_t repeated_a = 0, repeated_b = 0;
  for (const SharedQuestion& q : view.shared()) {
    const auto &rows_a = view.reference_rows(q), &rows_b = view.target_rows(q);
    const Bag a = bag_of(view.reference, rows_a), b = bag_of(view.target, rows_b);
    if (a.n == 0 || b.n == 0) {
      s.unscored += 1;
      continue;
    }
    note_range(view.reference, rows_a, &s);
    note_range(view.target, rows_b, &s);
    s.one_each = s.one_each && a.n == 1 && b.n == 1;
    s.reference.push_back(a.mean);
    s.target.push_back(b.mean);
    const std::string& dataset = view.reference.question(q.reference).dataset;
    const auto [number, fresh] = numbers.try_emplace(dataset, static_cast<int32_t>(numbers.size()));
    s.subjects.push_back(number->second);
    if (fresh) {
      const std::string group = group_of(view, dataset);
      s.group = numbers.size() == 1 || group == s.group ? group : "";
    }
    s.answers_reference += a.n;
    s.answers_target += b.n;
    (a.mean == 1 ? b.mean == 1 ? s.both : s.only_reference : b.mean == 1 ? s.only_target : s.neither) += 1;
    inverse_a += 1 / static_cast<double>(a.n);
    inverse_b += 1 / static_cast<double>(b.n);
    if (a.n > 1) within_a += a.variance, repeated_a += 1;
    if (b.n > 1) within_b += b.variance, repeated_b += 1;
  }
  s.datasets = static_cast<int32_t>(numbers.size());
  const auto n = static_cast<double>(s.reference.size());
  s.repeated = repeated_a > 0 && repeated_b > 0;
  if (n > 0) s.design.repeats_a = n / inverse_a, s.design.repeats_b = n / inverse_b;
  if (repeated_a > 0) s.design.within_a = within_a / static_cast<double>(repeated_a);
  if (repeated_b > 0) s.design.within_b = within_b / static_cast<double>(repeated_b);
  return s;
}

// The variance of the differences is that between questions and that of answers within them. Without repeats it is all taken for the latter: both runs answer by one law.
void split_variance(Scores* s, double error) {
  const double all = error * error * static_cast<double>(s->reference.size());
  stats::RepeatedDesign& d = s->design;
  if (!s->repeated) {
    d.within_a = d.within_b = all / (1 / d.repeats_a + 1 / d.repeats_b);
    d.between = 0;
  } else {
    d.between = std::max(0.0, all - d.within_a / d.repeats_a - d.within_b / d.repeats_b);
  }
}

// The score over the shared questions in one way of counting.
struct Headline {
  Effect effect;
  double reference = 0, target = 0;
  bool exact = false;   // pairs of one answer, right or wrong
};

Headline pooled(const Scores& s) {
  Headline h;
  h.exact = s.one_each && s.zeros_and_ones;
  h.effect = h.exact ? effect_of_pairs(s.both, s.only_reference, s.only_target, s.neither) : effect_of_means(s.reference, s.target);
  h.reference = stats::mean_of(s.reference).mean;
  h.target = stats::mean_of(s.target).mean;
  return h;
}

double mean_over_subjects(const std::vector<double>& values, const Scores& s) {
  std::vector<std::vector<double>> of(static_cast<size_t>(s.datasets));
  for (size_t i = 0; i < values.size(); ++i) of[static_cast<size_t>(s.subjects[i])].push_back(values[i]);
  std::vector<stats::Mean> means;
  for (const std::vector<double>& subject : of) means.push_back(stats::mean_of(subject));
  return stats::mean_of_subjects(means).mean;
}

Headline over_subjects(const Scores& s) { return {effect_of_subjects(s.reference, s.target, s.subjects), mean_over_subjects(s.reference, s), mean_over_subjects(s.target, s)}; }

void say_what_is_needed(const Scores& s, double margin, StepResult* step) {
  const auto questions = static_cast<int64_t>(s.reference.size());
  const bool no_variance = s.design.within_a + s.design.within_b + s.design.between == 0;  // no score differs: how much they would is not known
  if (!(step->detectable > margin) || no_variance) return;
  step->questions_needed = stats::questions_needed(s.design, margin);
  const int64_t repeats = stats::repeats_needed(s.design.within_a + s.design.within_b, questions, s.design.between / static_cast<double>(questions), margin);
  step->repeats_needed = repeats > 0 ? repeats : -1;
  const std::string change = points(margin);
  step->needed = {"a change of " + change + " points is seen in 80 % of comparisons with ", "要在 80% 的比较中看出 " + change + " 个百分点的变化，需要"};
  if (repeats > 0) {
    step->needed.en += counted(repeats, "answers") + " to each of these questions on both sides, or with ";
    step->needed.zh += "两侧对这些题各回答 " + grouped(repeats) + " 次，或";
  }
  step->needed.en += counted(step->questions_needed, "questions") + " answered as often as here";
  step->needed.zh += "以同样次数回答 " + grouped(step->questions_needed) + " 道题";
}

// The mean that the verdict does not rest on.
void say_other_mean(const Scores& s, const Headline& other, bool is_pooled, StepResult* step) {
  const Effect& e = other.effect;
  const Both name = is_pooled ? Both{"all questions pooled", "全部题目合并"} : Both{"mean over " + counted(s.datasets, "datasets"), grouped(s.datasets) + " 个数据集的平均"};
  const Both rests = is_pooled ? Both{"the verdict rests on the mean over the subjects of " + s.group + ", as its score is reported", "判定依据 " + s.group + " 各科目的平均，与其报告方式一致"}
                               : Both{"the verdict rests on the pooled questions", "判定依据合并的题目"};
  if (s.share) {
    const Both change = points_words(e.value, e.lower, e.upper);
    step->section.lines.push_back({{name.en + ": " + percent(other.reference) + " -> " + percent(other.target) + ": " + change.en + ", " + p_words(e.shown_p).en + "; " + rests.en,
                                    name.zh + "：" + percent(other.reference, true) + " → " + percent(other.target, true) + "：" + change.zh + "，" + p_words(e.shown_p).zh + "；" + rests.zh}, "", "", "", "plain"});
  }
  JsonWriter json(&step->data);
  json.begin_object().member("rests_on", is_pooled ? "mean_of_subjects" : "pooled").member("group", s.group).member("datasets", int64_t{s.datasets}).key(is_pooled ? "pooled" : "mean_of_datasets").begin_object();
  json.member("reference", other.reference).member("target", other.target).member("effect", e.value).key("interval").begin_array().real(e.lower).real(e.upper).end_array().member("p", e.p).end_object().end_object();
}

StepResult run(const ComparisonView& view) {
  Scores s = scores_of(view);
  if (s.reference.empty()) {
    return not_applicable({"no shared question has a score on both sides: add scores with the framework, or compare by --primary flags", "没有一道共有的题在两侧都有得分：请用评测框架补上得分，或用 --primary flags 比较"});
  }
  const Headline all = pooled(s);
  if (!all.effect.known()) return not_applicable({"one scored question on both sides is not enough for an interval", "两侧只有一道有得分的题，不足以给出区间"});
  const Headline by_subject = s.datasets > 1 ? over_subjects(s) : all;
  const bool subjects = s.datasets > 1 && !s.group.empty();
  const Headline& headline = subjects ? by_subject : all;
  const Effect& effect = headline.effect;
  StepResult step;
  take_effect(&step, effect);
  step.n_unit = "questions";
  const double mean_a = headline.reference, mean_b = headline.target;
  const bool real = effect.p < 0.05;
  if (s.share) {
    step.unit = "share";
    step.margin = view.margins.score_drop;
    // All hold: the interval lies beyond the margin, and the exact test tells the two apart; few flips are no t distribution, so the mean over subjects needs the pairs' exact test too.
    step.p_beyond = std::max({p_below(effect, step.margin), effect.value < 0 ? effect.p : 1.0, all.exact ? all.effect.p : 0.0});
    step.inside = effect.lower > -step.margin;
    step.better = effect.lower > 0;
    split_variance(&s, effect.error);
    say_what_is_needed(s, step.margin, &step);
    const Both change = points_words(effect.value, effect.lower, effect.upper);
    step.words = {percent(mean_a) + " -> " + percent(mean_b) + ": " + change.en, percent(mean_a, true) + " → " + percent(mean_b, true) + "：" + change.zh};
  } else {
    step.unit = "score";
    const std::string a = fixed(mean_a, 3), b = fixed(mean_b, 3), size = fixed(effect.value, 3), low = fixed(effect.lower, 3), high = fixed(effect.upper, 3);
    step.words = {a + " -> " + b + ": " + size + " (95 % interval " + low + " to " + high + "); no share of 0 to 1, so no margin applies", a + " → " + b + "：" + size + "（95% 区间 " + low + " 至 " + high + "）；不是 0 到 1 的比例，没有适用的界限"};
  }
  if (subjects) {
    step.words.en = "mean over " + counted(s.datasets, "subjects") + ": " + step.words.en;
    step.words.zh = grouped(s.datasets) + " 个科目的平均：" + step.words.zh;
  }
  step.words.en += ", " + p_words(effect.shown_p).en + (real ? ": shown to be real" : ": not shown to be real");
  step.words.zh += "，" + p_words(effect.shown_p).zh + (real ? "：差异确实存在" : "：不足以证明差异存在");
  step.section.columns = {{"", ""}, {"reference", "参考"}, {"target", "目标"}};
  step.section.right = {false, true, true};
  const auto row = [&](Both name, std::string a, std::string b) { step.section.rows.push_back({{std::move(name), plain(std::move(a)), plain(std::move(b))}, "plain"}); };
  row({"questions", "题数"}, grouped(effect.n), grouped(effect.n));
  row({"answers", "回答数"}, grouped(s.answers_reference), grouped(s.answers_target));
  if (s.one_each && s.zeros_and_ones) {
    row({"right", "答对"}, grouped(s.both + s.only_reference), grouped(s.both + s.only_target));
    row({"right here only", "仅此侧答对"}, grouped(s.only_reference), grouped(s.only_target));
  }
  const Both how = subjects ? Both{"means of questions, paired; each subject weighs the same, questions are the independent units: t interval, Satterthwaite's degrees of freedom", "按题配对求均值；每个科目权重相同，以题为独立单位：t 区间，Satterthwaite 自由度"}
                   : all.exact ? Both{"one answer a question: McNemar's test (exact for the verdict, mid-p shown), Newcombe's interval", "每题一答：McNemar 检验（判定用精确值，显示 mid-p），Newcombe 区间"}
                               : Both{"means of questions, paired: t test and interval over questions, which are the independent units", "按题配对求均值：以题为独立单位的 t 检验与区间"};
  step.section.lines.push_back({how, "", "", "", "faint"});
  if (s.datasets > 1) say_other_mean(s, subjects ? all : by_subject, subjects, &step);
  if (s.unscored > 0) {
    step.section.lines.push_back({{counted(s.unscored, "shared questions") + " without a score on one side left out: where answers fail the hard ones are missing", grouped(s.unscored) + " 道共有的题有一侧没有得分，未计入：缺的往往是难题"}, "", "", "", "unsure"});
  }
  if (effect.value < 0 && !real) step.symptom = "score_noise";
  return step;
}

}  // namespace

extern const Step kScoreStep;
const Step kScoreStep = {"score", "score", true, {"Score", "得分"}, run};

}  // namespace vaa
