#include <cmath>

#include "reject/bug_laws/bug_law.h"
#include "reject/steps/row_law.h"

namespace vaa {
namespace {

double accept(const LawView& view, size_t at) { return view.one_hot ? std::nan("") : view.p[at]; }
bool recovered(const LawView& view, size_t at, std::span<double> out) { return !view.one_hot && without_draft(view.full->target(at), view.drafts[at], out); }

}  // namespace

extern const BugLaw kIgnoredDraftLaw;
const BugLaw kIgnoredDraftLaw = {"", "ignored_draft_law", "drafts that have a law are judged as if they had none, or must be the token that the target drew: lossless, but less is accepted", "有分布的草稿按无分布检验，或须与目标所抽词元相同：无损，但接受更少", "vllm#40149, #40651", false, true,
                                 accept, recovered, nullptr, nullptr, nullptr};

}  // namespace vaa
