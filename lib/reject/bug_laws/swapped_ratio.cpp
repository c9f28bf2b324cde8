#include <algorithm>
#include <cmath>

#include "reject/bug_laws/bug_law.h"

namespace vaa {
namespace {

double accept(const LawView& view, size_t at) { return view.one_hot || !(view.p[at] > 0) ? std::nan("") : std::min(1.0, view.q[at] / view.p[at]); }

}  // namespace

extern const BugLaw kSwappedRatio;
const BugLaw kSwappedRatio = {"", "swapped_ratio", "p and q change places: min(1, q / p) accepts", "p 与 q 对调：以 min(1, q / p) 接受", "", false, false, accept, nullptr, nullptr, nullptr, nullptr};

}  // namespace vaa
