// How long greedy answers stay together. Where only ids are recorded it is the evidence, by the ratio of hazards; else it is shown.
#include <algorithm>

#include "compare/partings.h"
#include "compare/token_gates.h"

namespace vaa {
namespace {

bool any_gap(const ComparisonView& view) {
  return std::any_of(view.tokens->rows.gap.begin(), view.tokens->rows.gap.end(), [](float gap) { return gap >= 0; });
}

StepResult run(const ComparisonView& view) {
  if (Both why = why_no_greedy(view); !why.en.empty()) return not_applicable(std::move(why));
  const Divergences target = divergences_of(*view.tokens, Draws::kGreedy);
  if (target.exits.empty()) return not_applicable({"no free greedy answers with a compared token", "没有可比较词元的自由贪心回答"});
  const Divergences* self = view.noise && !view.noise->divergences.exits.empty() ? &view.noise->divergences : nullptr;
  Partings partings = partings_of(target, self, self && view.noise->identical, view.margins.sigma_ratio);
  StepResult& step = partings.step;
  if (!partings.ratio.known()) return step;
  if (any_gap(view)) {
    step.p_beyond = std::nan("");
    step.p = partings.p;
    return step;
  }
  say_questions_needed(partings.ratio, step.margin, &step);
  if (step.p_beyond < 0.05) step.symptom = "parts_sooner";
  step.section.lines.push_back({{"ids alone: how often answers part stands for the noise, held to the margin of its ratio; exact ties draw the ratio towards 1, logprobs with the 20 likeliest tokens tell more", "仅有 id：以分开的频率代表噪声，并以噪声比的界限衡量；完全并列会使比值趋近 1，记录 20 个最可能词元的对数概率可得到更多信息"}, "", "", "", "unsure"});
  return step;
}

}  // namespace

extern const Step kSurvivalStep;
const Step kSurvivalStep = {"survival", "tokens", true, {"How long greedy answers stay together", "贪心回答一致多久"}, run};

}  // namespace vaa
