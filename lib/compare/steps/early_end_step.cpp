// Greedy answers of which one is the beginning of the other: they ended early on one side. Noise ends answers early on either side alike; a limit, a stop string or a lost stream on one.
#include <map>

#include "base/figures.h"
#include "compare/step.h"

namespace vaa {
namespace {

constexpr int64_t kFewPairs = 2;

struct EarlyEnds {
  double pairs = 0, reference = 0, target = 0;
};

// Of questions with several pairs: their shares, since an engine that repeats itself ends every repeat at the same place.
Effect effect_by_question(const std::map<int32_t, EarlyEnds>& questions) {
  std::vector<double> reference, target;
  for (const auto& [number, q] : questions) {
    reference.push_back(q.reference / q.pairs);
    target.push_back(q.target / q.pairs);
  }
  return effect_of_means(reference, target);
}

StepResult run(const ComparisonView& view) {
  if (!view.tokens) return not_applicable({"no token ids on both sides", "两侧没有都记录词元 id"});
  int64_t all = 0, target = 0, reference = 0;
  std::map<int32_t, EarlyEnds> questions;
  for (const TokenPair& p : view.tokens->pairs) {
    if (p.kind != PairKind::kFree || !p.greedy || p.prompt != PromptClass::kSame) continue;
    all += 1;
    EarlyEnds& question = questions[p.question];
    question.pairs += 1;
    if (!p.length_only) continue;
    const bool of_target = p.target_tokens < p.reference_tokens;
    (of_target ? target : reference) += 1;
    (of_target ? question.target : question.reference) += 1;
  }
  if (all < kFewPairs) return not_applicable({"fewer than two greedy pairs with ids", "不足两对带 id 的贪心回答"});
  const Effect effect = static_cast<int64_t>(questions.size()) == all ? effect_of_pairs(0, reference, target, all - reference - target) : effect_by_question(questions);
  if (!effect.known()) return not_applicable({"all greedy pairs with ids answer one question", "带 id 的贪心回答对都属于同一道题"});
  StepResult step;
  step.applies = true;
  step.unit = "share";
  step.noise_free = true;
  step.n_unit = "pairs";
  step.margin = view.margins.flag_excess;
  take_effect(&step, effect);
  step.n = all;
  step.p_beyond = p_above(effect, step.margin);
  step.inside = step.upper < step.margin;
  step.better = step.upper < 0;
  step.detectable = detectable_effect(effect);
  const Both size = points_words(step.effect, step.lower, step.upper);
  step.words = {"of " + counted(all, "pairs") + " the target's answer is the beginning of the reference's in " + grouped(target) + ", the reference's of the target's in " + grouped(reference) + ": " + size.en,
                grouped(all) + " 对中，目标侧回答只是参考侧回答的开头有 " + grouped(target) + " 对，反之 " + grouped(reference) + " 对：" + size.zh};
  if (step.lower > 0) step.symptom = "early_end";
  return step;
}

}  // namespace

extern const Step kEarlyEndStep;
const Step kEarlyEndStep = {"early_end", "lengths", true, {"Answers that end early", "过早结束的回答"}, run};

}  // namespace vaa
