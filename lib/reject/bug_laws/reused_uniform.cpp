#include <algorithm>

#include "reject/bug_laws/bug_law.h"
#include "reject/steps/row_law.h"

namespace vaa {
namespace {

// The uniform that rejected lies in (a, 1], and looks the residual's cumulative sum up.
bool recovered(const LawView& view, size_t at, std::span<double> out) {
  const double a = view.accept[at];
  if (!(a >= 0) || !(a < 1) || view.drafts[at] < 0) return false;
  if (view.one_hot ? !without_draft(view.full->target(at), view.drafts[at], out) : view.full->q_rows() <= at || !positive_part(view.full->target(at), view.full->draft(at), out)) return false;
  double below = 0;
  for (double& x : out) {
    const double above = below + x;
    x = std::max(0.0, above - std::max(below, a));
    below = above;
  }
  return normalise(out);
}

}  // namespace

extern const BugLaw kReusedUniform;
const BugLaw kReusedUniform = {"B07", "reused_u_inverse_cdf", "the uniform that rejected draws from the residual, too: high ids come too often", "拒绝所用的均匀数又用于残差抽样：大 id 过多", "flashinfer#424", true, false, nullptr, recovered, nullptr, nullptr, nullptr};

}  // namespace vaa
