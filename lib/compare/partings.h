// How long answers of two runs stay together, beside how long those of the reference run twice do.
#pragma once
#include "compare/step.h"
#include "compare/token_scale.h"

namespace vaa {

struct Partings {
  StepResult step;   // words, table and numbers; where `ratio` is known its gate too: the margin of the ratio of the noise
  Effect ratio;      // of hazards, on the logarithm; not known without a reference against itself that varied
  double p = std::nan("");  // log-rank; of repeated questions, whose answers part together, that of the ratio
};
// self: nullptr where the reference was not held against itself in such answers. identical: it was, and nothing differed.
Partings partings_of(const Divergences& target, const Divergences* self, bool identical, double margin);

}  // namespace vaa
