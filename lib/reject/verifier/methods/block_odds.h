// What the two rules that decide a block at once share.
#pragma once
#include "reject/verifier/methods/method.h"

namespace vaa {

// Into scratch: P_0 = 1, P_i = min(P_{i-1} p(d_i) / q(d_i), 1), and S_i of the row behind i drafts; up to the first padded draft.
void block_prefixes(const StepInput& in, StepScratch* scratch);
// h_i = S_i / (S_i + 1 - P_i), 1 where that is 0 / 0, and P_i behind the last draft.
double block_h(const StepScratch& scratch, size_t i);
// The row of ids once the length is known; margins and flags of the tests stand in out->places. `scale` is that of p in the residual.
void finish_block(const StepInput& in, size_t accepted, double scale, DraftOutcome* out);
// The rest of a law whose lengths are known. scaled: the residual is max(P_i p - q, 0).
void lengths_to_law(const StepInput& in, bool scaled, StepLaw* out);

}  // namespace vaa
