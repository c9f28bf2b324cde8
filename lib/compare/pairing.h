// Which questions two runs share.
#pragma once
#include <cstdint>
#include <vector>

#include "compare/run_side.h"

namespace vaa {

struct SharedQuestion {
  int32_t reference, target;   // indices of questions
};
struct RunPairing {
  std::vector<SharedQuestion> shared;        // comparable: prompts agree, or are not recorded on one side
  std::vector<SharedQuestion> other_prompt;  // both record a prompt in one form, and no repeat's is the other's
  std::vector<int32_t> only_reference, only_target;
  int64_t other_ids = 0;      // of shared: the words of the prompt agree, its token ids do not
  int64_t same_output = 0;    // of shared: all answers are the same, byte for byte
  bool one_each = false;      // every shared question has one answer on both sides
};
// By dataset and id. Repeats have no order: completion order is no pairing.
RunPairing pair_questions(const RunSide& reference, const RunSide& target);

// Shared questions are below this share of either run's: what is missing may be what died.
constexpr double kMostMissing = 0.1;
double missing_share(const RunPairing& pairing);  // the larger one of the two sides

}  // namespace vaa
