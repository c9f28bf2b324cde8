// What a failed step says is wrong: names that a script can branch on. A layer to look at, not a cause.
#pragma once
#include <span>
#include <string_view>

#include "compare/step.h"

namespace vaa {

struct VerdictKind {
  const char* name;
  bool distance;      // of tokens: reported only, where the margins gate no tokens
  const char* steps;  // names of the steps that stand for it by themselves, "flags|lengths"
  Both words;
};
// An earlier one explains a later one: with other prompts the answers differ too.
std::span<const VerdictKind> verdict_kind_table();
// Of a step that failed: StepResult::kind, else by the step's name, else drift where it compares tokens.
const VerdictKind& verdict_kind(const Step& step, const StepResult& result);

}  // namespace vaa
