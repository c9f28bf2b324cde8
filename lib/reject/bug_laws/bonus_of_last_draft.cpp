#include <algorithm>

#include "reject/bug_laws/bug_law.h"

namespace vaa {
namespace {

bool bonus(const LawView& view, std::span<double> out) {
  if (view.drafts.empty()) return false;
  std::copy_n(view.full->target(view.drafts.size() - 1).begin(), out.size(), out.begin());
  return true;
}

}  // namespace

extern const BugLaw kBonusOfLastDraft;
const BugLaw kBonusOfLastDraft = {"", "bonus_of_last_draft", "the token after the last draft is drawn from the row of the last draft", "奖励词元取自最后一个草稿所在的行", "vllm-ascend#11458", true, false, nullptr, nullptr, nullptr, bonus, nullptr};

}  // namespace vaa
