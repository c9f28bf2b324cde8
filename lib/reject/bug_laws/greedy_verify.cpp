#include <cmath>

#include "reject/bug_laws/bug_law.h"
#include "reject/steps/row_law.h"

namespace vaa {
namespace {

double accept(const LawView& view, size_t at) { return view.argmax.empty() ? std::nan("") : view.drafts[at] == view.argmax[at]; }
bool recovered(const LawView& view, size_t at, std::span<double> out) { return only(likeliest(view.full->target(at)), out); }
bool bonus(const LawView& view, std::span<double> out) { return only(likeliest(view.full->target(view.drafts.size())), out); }

}  // namespace

extern const BugLaw kGreedyVerify;
const BugLaw kGreedyVerify = {"", "greedy_verify", "drafts are held against the target's likeliest token at T > 0, too", "T > 0 时仍按目标的最大词元检验", "sglang#32495, #31214", false, false, accept, recovered, nullptr, bonus, nullptr};

}  // namespace vaa
