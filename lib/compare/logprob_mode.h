// Do both sides record logprobs of one kind? Raw ones against processed ones differ by a temperature or a constant, which is no fault of the engine.
#pragma once
#include "base/sections.h"
#include "compare/token_evidence.h"

namespace vaa {

constexpr int64_t kFewestForMode = 100;  // positions: below it nothing is said of the mode

struct ModeVerdict {
  bool mixed = false;
  Both words;                              // why, and what to set
};
// Mixed: the sides say so; or the lists of one side add to 1 at 99 % of its positions and those of the other at 90 % at most (renormalised after top-k or top-p); or the scale of gaps lies beyond 10 % on one side of 1 either way; or the logprobs are a constant apart, over 0.05 nats and 5 times what is left.
ModeVerdict mode_of(const TokenEvidence& tokens);

// Sets fit.scale_least and scale_most from the rows.
void fit_gaps(TokenEvidence* tokens);
// Where the modes are mixed, or too many numbers cannot be: no logprob of either side stays, so that no step takes one for evidence.
void drop_unusable(TokenEvidence* tokens);

}  // namespace vaa
