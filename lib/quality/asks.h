// The form of answer that a prompt asks for: \boxed{}, JSON, or one of a few letters.
#pragma once
#include <string_view>

namespace vaa {

struct Asks {
  bool boxed = false, json = false, letter = false;
  bool any() const { return boxed || json || letter; }
};

// Linear. Only plain requests count ("answer as JSON", "choose A, B, C or D", "选出正确的选项"): who speaks of JSON or of letters asks for none.
Asks read_asks(std::string_view prompt);

// Whether an answer of that form is in `answer`, begun at least.
bool has_boxed(std::string_view answer);
bool has_json(std::string_view answer);
bool has_letter_answer(std::string_view answer);

}  // namespace vaa
