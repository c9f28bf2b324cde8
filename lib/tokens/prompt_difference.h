// Why two prompts are not the same ids. Different prompts end the comparison of a pair: what follows them says nothing of the engine.
#pragma once
#include <cstdint>

#include "tokens/token_diff.h"

namespace vaa {

// In the order in which they are tried; the first that fits is the class.
enum class PromptClass : int32_t {
  kSame = 0,
  kBosTwice,              // one side begins with its first id twice (a template that has it, and a tokenizer that adds it)
  kBosMissing,            // one side lacks the other's first id
  kGenerationPrompt,      // one side lacks the last few ids of the other: add_generation_prompt
  kCutRight,              // one side ends earlier
  kCutLeft,               // one side begins later
  kOtherSegmentation,     // the same bytes in other tokens: another tokenizer revision, or text that was encoded again (needs a vocabulary)
  kBlockInserted,         // one block more on one side: a system prompt, a date, tools, thinking switched
  kBlockReplaced,         // one block stands for another
  kOther,
};
constexpr int32_t kPromptClasses = static_cast<int32_t>(PromptClass::kOther) + 1;
const char* prompt_class_name(PromptClass which);  // "bos_twice"

struct PromptDifference {
  PromptClass which = PromptClass::kSame;
  int32_t longer = 0;              // the side that has more there: 0 none, 1 the reference, 2 the target
  Hunk hunk{};                     // the block that differs; with kOther from the first to the last difference
  Divergence divergence;
};
// `diff` brings the memory and the vocabulary.
PromptDifference prompt_difference(Ids reference, Ids target, TokenDiff* diff);

}  // namespace vaa
