// What would settle what a comparison left open, as a part of its document: which answers to ask one token of, from which position on, or how often each question.
#pragma once
#include <string>

#include "compare/decide.h"

namespace vaa {

constexpr size_t kMostAsked = 1000;    // first divergences that a plan names

// JSON object: "settles" (tokens: single tokens where answers part; noise: the reference against itself; answers; questions: more of them; nothing), "divergences" [{"dataset", "id", "repeat",
// "prompt_tokens", "at"}], "divergences_all", "ladder" [positions without evidence], "repeats", "questions" (null: not known, or no number is enough), "answers" (score, flags or lengths are open),
// "greedy" (all answers), "ids" (on both sides), "lacks_self", "target" (its path), "missing" {"en", "zh"}.
std::string ask_plan(const Decision& decision, const ComparisonView& view);

}  // namespace vaa
