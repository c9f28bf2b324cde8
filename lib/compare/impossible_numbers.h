// Logprobs that cannot be: NaN, above 0 or adding to over 1 by more than rounding. A few are left out; of many, nothing that stands beside them is believed either.
#pragma once
#include "compare/token_evidence.h"

namespace vaa {

// Of the positions with a logprob or a list. The narrowest margin of a share of suspects: as many positions left out could hide a difference as large as that.
constexpr double kMostImpossible = 0.01;

// More than that share, and more than a single position.
bool too_impossible(const SideFaults& side);
// Of either side.
bool too_impossible(const TokenEvidence& tokens);

}  // namespace vaa
