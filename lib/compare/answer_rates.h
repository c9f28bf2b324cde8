// How often answers to the shared questions have a property, on both sides.
#pragma once
#include <functional>

#include "compare/step.h"

namespace vaa {

struct AnswerRates {
  ClusteredRate reference, target;
  Effect effect;
};
// `tested`: the property can be known of the answer; `has`: it has it. Where nearly all tested answers are the one of their question on both sides: McNemar and Newcombe on pairs; else clustered rates, of means of questions where these have unequal numbers of answers. The effect of fewer than two questions is not known.
AnswerRates answer_rates(const ComparisonView& view, const std::function<bool(const RunRow&)>& tested, const std::function<bool(const RunRow&, bool target)>& has);

}  // namespace vaa
