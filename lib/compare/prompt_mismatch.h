// Prompts whose ids differ, in words: what follows such a prompt says nothing of the engine.
#pragma once
#include <cstdint>

#include "base/sections.h"
#include "compare/token_evidence.h"

namespace vaa {

int64_t prompts_compared(const TokenEvidence& tokens);   // pairs with prompt ids on both sides
int64_t prompts_other(const TokenEvidence& tokens);      // of these, with other ids
// Over a tenth do: the runs were not asked the same.
bool prompts_differ(const TokenEvidence& tokens);
// "BOS twice in 400 of 400 pairs: send the reference's ids"; of none that differ "".
Both prompt_words(const TokenEvidence& tokens);

}  // namespace vaa
