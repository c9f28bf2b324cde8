#include <algorithm>

#include "reject/bug_laws/bug_law.h"

namespace vaa {
namespace {

bool recovered(const LawView& view, size_t at, std::span<double> out) {
  std::copy_n(view.full->target(at).begin(), out.size(), out.begin());
  return true;
}

}  // namespace

extern const BugLaw kRecoverFromTarget;
const BugLaw kRecoverFromTarget = {"B05", "recover_from_target", "the token in place of a rejected draft is drawn from p, not from the residual", "替换词元取自 p 而非残差", "EAGLE#20", true, false, nullptr, recovered, nullptr, nullptr, nullptr};

}  // namespace vaa
