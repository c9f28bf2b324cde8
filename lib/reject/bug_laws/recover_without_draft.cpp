#include "reject/bug_laws/bug_law.h"
#include "reject/steps/row_law.h"

namespace vaa {
namespace {

bool recovered(const LawView& view, size_t at, std::span<double> out) { return !view.one_hot && without_draft(view.full->target(at), view.drafts[at], out); }

}  // namespace

extern const BugLaw kRecoverWithoutDraft;
const BugLaw kRecoverWithoutDraft = {"", "recover_without_draft", "q is subtracted at the rejected draft alone", "残差只减去被拒草稿一项的 q", "EAGLE#20, #47", true, false, nullptr, recovered, nullptr, nullptr, nullptr};

}  // namespace vaa
