// How often two answers to a question come to the same result: across the runs, beside answers of one run.
#include <map>

#include "base/figures.h"
#include "compare/step.h"
#include "stats/means.h"

namespace vaa {
namespace {

// How many answers of a bag came to each result.
using Results = std::map<uint64_t, double>;
Results extracted(const RunSide& side, const std::vector<int32_t>& rows) {
  Results out;
  for (const int32_t r : rows) {
    if (side.row(r).extracted != 0) out[side.row(r).extracted] += 1;
  }
  return out;
}
double size_of(const Results& bag) {
  double n = 0;
  for (const auto& [result, count] : bag) n += count;
  return n;
}

// Share of pairs of different answers of one bag that agree; for at least two.
double within(const Results& bag) {
  double same = 0;
  for (const auto& [result, count] : bag) same += count * (count - 1);
  return same / (size_of(bag) * (size_of(bag) - 1));
}

double across(const Results& a, const Results& b) {
  double same = 0;
  for (const auto& [result, count] : a) {
    const auto other = b.find(result);
    if (other != b.end()) same += count * other->second;
  }
  return same / (size_of(a) * size_of(b));
}

StepResult run(const ComparisonView& view) {
  std::vector<double> all, cross, own;
  for (const SharedQuestion& q : view.shared()) {
    const auto a = extracted(view.reference, view.reference_rows(q)), b = extracted(view.target, view.target_rows(q));
    if (a.empty() || b.empty()) continue;
    all.push_back(across(a, b));
    if (size_of(a) < 2 || size_of(b) < 2) continue;
    cross.push_back(all.back());
    own.push_back((within(a) + within(b)) / 2);
  }
  if (all.empty()) return not_applicable({"extracted answers are not recorded on both sides", "两侧没有都记录提取出的答案"});
  const double agree = stats::mean_of(all).mean;
  StepResult step;
  step.applies = true;
  step.n = static_cast<int64_t>(all.size());
  step.n_unit = "questions";
  step.unit = "share";
  step.words = {"the extracted answers agree in " + percent(agree) + " of pairs over " + counted(step.n, "questions"), "在 " + grouped(step.n) + " 道题上，提取出的答案有 " + percent(agree, true) + " 一致"};
  const Effect effect = effect_of_means(own, cross);
  if (!effect.known()) {
    step.words.en += "; how often the reference agrees with itself is not known without repeats";
    step.words.zh += "；没有重复回答，无法得知参考侧自身的一致程度";
    return step;
  }
  take_effect(&step, effect);
  const double self = stats::mean_of(own).mean;
  step.words.en += "; answers of one run agree with each other in " + percent(self) + ": " + points_words(effect.value, effect.lower, effect.upper).en + ", " + p_words(effect.p).en;
  step.words.zh += "；同一侧的回答彼此一致 " + percent(self, true) + "：" + points_words(effect.value, effect.lower, effect.upper).zh + "，" + p_words(effect.p).zh;
  if (effect.upper < 0) step.symptom = "other_answers";
  return step;
}

}  // namespace

extern const Step kAgreementStep;
const Step kAgreementStep = {"agreement", "facts", false, {"Agreement of answers", "答案一致性"}, run};

}  // namespace vaa
