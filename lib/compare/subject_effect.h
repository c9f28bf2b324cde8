// The difference between two runs where each subject weighs the same, as in the score of C-Eval.
#pragma once
#include "compare/paired_effect.h"

namespace vaa {

// The mean over subjects of the mean difference of their questions, one number a question on each side. Questions are the independent units, subjects strata: the squared error is the sum of
// variance / questions of the subjects, over their squared number; degrees of freedom by Satterthwaite (1946). A subject of one question has the variance of the others, pooled. Where no question
// differs, the interval is what the rule of three leaves, were it all in the smallest subject.
Effect effect_of_subjects(std::span<const double> reference, std::span<const double> target, std::span<const int32_t> subjects);

}  // namespace vaa
