// What would settle what a comparison left open, as a part of its document: which answers to ask one token of, from which position on, or how often each question.
#pragma once
#include <string>

#include "compare/decide.h"

namespace vaa {

constexpr size_t kMostAsked = 1000;    // first divergences that a plan names

// JSON object: "settles" (tokens, answers, nothing), "divergences" [{"dataset", "id", "repeat", "prompt_tokens", "at"}], "divergences_all", "ladder" [positions without evidence], "repeats" (null:
// not known), "missing" {"en", "zh"}.
std::string ask_plan(const Decision& decision, const ComparisonView& view);

}  // namespace vaa
