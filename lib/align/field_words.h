// What a difference in a field does: one row a field.
#pragma once
#include <span>
#include <string_view>

#include "base/sections.h"

namespace vaa {

struct FieldWords {
  std::string_view name;
  bool sampled_only;   // no matter where both sides take the argmax
  bool law;            // it changes the law of answers; false: shown only
  Both why;
};
const FieldWords& field_words(std::string_view name);

// Rules of samplers that differ, and when that shows.
struct RuleDifference {
  std::string_view rule;
  bool law;   // it changes the law of answers by more than what ties and roundings do; false: shown only
  Both why;
};
std::span<const RuleDifference> rule_differences();

}  // namespace vaa
