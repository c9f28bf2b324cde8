#include "reject/steps/step_tally.h"

namespace vaa {

extern const StepCheck kRowIds, kRowLength, kNumbers, kSupport, kGreedyArgmax, kAlwaysArgmax, kDraftShare, kStepAcceptance, kStepAcceptanceByPosition, kAcceptedBound, kDraftDraws, kArgmaxShare, kRecoveredGroups, kRecoveredLaw, kBonusLaw,
    kEmittedLaw, kUniforms, kExactReplay, kKnownFaults;

std::span<const StepCheck* const> step_check_table() {
  static constexpr const StepCheck* kTable[] = {&kKnownFaults,    &kNumbers,    &kRowIds,      &kRowLength,       &kSupport,      &kGreedyArgmax, &kAlwaysArgmax, &kDraftShare, &kStepAcceptance,
                                                &kStepAcceptanceByPosition, &kAcceptedBound, &kDraftDraws, &kArgmaxShare, &kRecoveredGroups, &kRecoveredLaw, &kBonusLaw,     &kEmittedLaw,   &kUniforms,   &kExactReplay};
  return kTable;
}

}  // namespace vaa
