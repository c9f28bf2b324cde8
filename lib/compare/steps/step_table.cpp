#include "compare/step.h"

namespace vaa {

extern const Step kScoreStep, kAccountStep, kLengthsStep, kFlagsStep, kAgreementStep, kFinishStep, kFirstTokenStep, kConfigurationStep, kFixedStep;
extern const Step kEarlyEndStep, kPromptsStep, kValidityStep, kLogprobModeStep, kHandlingStep, kSamplerStep;
extern const Step kSpeculationStep, kOpeningLawStep, kOpeningTemperatureStep;
extern const Step kPrefillStep, kDivergenceStep, kFlipNoiseStep, kSurvivalStep, kSeededStep, kDriftStep, kPositionStep, kTargetNoiseStep;

// The first screen is in this order.
std::span<const Step* const> step_table() {
  static const Step* const kTable[] = {&kScoreStep, &kAccountStep, &kFlagsStep, &kLengthsStep, &kEarlyEndStep, &kFixedStep,
                                       &kPromptsStep, &kValidityStep, &kLogprobModeStep,
                                       &kSpeculationStep, &kOpeningLawStep, &kOpeningTemperatureStep,
                                       &kFlipNoiseStep, &kPrefillStep, &kDivergenceStep, &kSurvivalStep, &kSeededStep, &kDriftStep, &kPositionStep, &kTargetNoiseStep, &kHandlingStep, &kSamplerStep,
                                       &kAgreementStep, &kFinishStep, &kFirstTokenStep, &kConfigurationStep};
  return kTable;
}

}  // namespace vaa
