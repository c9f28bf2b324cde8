#include <algorithm>

#include "reject/bug_laws/bug_law.h"

namespace vaa {

extern const BugLaw kAliasedRestore, kAlwaysAccept, kGreedyDraftSoftQ, kFilteredDraftRawQ, kRecoverFromTarget, kRecoverWithoutDraft, kSharedNoiseToken0, kReusedUniform, kResidualRow0, kGreedyVerify, kInvertedTest, kSwappedRatio,
    kIgnoredDraftLaw, kDoubleSoftmax, kIgnoredTemperature, kNextRow, kBonusOfLastDraft, kRecoveredToken0, kEntropyRule, kTypicalRule, kSharedUniform, kSameUniforms, kProductRule;

std::span<const BugLaw* const> bug_law_table() {
  static constexpr const BugLaw* kTable[] = {&kAliasedRestore, &kAlwaysAccept,    &kGreedyDraftSoftQ, &kFilteredDraftRawQ, &kRecoverFromTarget,  &kRecoverWithoutDraft, &kSharedNoiseToken0, &kReusedUniform,
                                             &kResidualRow0,   &kGreedyVerify,    &kInvertedTest,     &kSwappedRatio,      &kIgnoredDraftLaw,    &kDoubleSoftmax,       &kIgnoredTemperature, &kNextRow,
                                             &kBonusOfLastDraft, &kRecoveredToken0, &kEntropyRule,      &kTypicalRule,       &kSharedUniform,      &kSameUniforms, &kProductRule};
  return kTable;
}

const BugLaw* find_bug_law(std::string_view name) {
  for (const BugLaw* law : bug_law_table())
    if (name == law->name || (!name.empty() && name == law->id)) return law;
  return nullptr;
}

bool only(size_t token, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  out[token] = 1;
  return true;
}

}  // namespace vaa
