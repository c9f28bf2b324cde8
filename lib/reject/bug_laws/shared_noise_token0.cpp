#include "base/math.h"
#include "reject/bug_laws/bug_law.h"
#include "reject/steps/row_law.h"

namespace vaa {
namespace {

// Given rejection the uniform lies above a = p(d). Token 0 then wins the race with probability w_0 (1 - a^(1 + b)) / ((w_0 + w) (1 - a)), b = w / w_0, w the weight of the others (sampling.md §1.3, A2).
bool recovered(const LawView& view, size_t at, std::span<double> out) {
  const double a = view.p[at];
  if (!view.one_hot || view.drafts[at] == 0 || !(a > 0) || !(a < 1) || !without_draft(view.full->target(at), view.drafts[at], out) || !(out[0] > 0) || !(out[0] < 1)) return false;
  const double before = out[0], now = -before * math::expm1(math::log(a) / before) / (1 - a);
  for (double& x : out) x *= (1 - now) / (1 - before);
  out[0] = now;
  return true;
}

}  // namespace

extern const BugLaw kSharedNoiseToken0;
const BugLaw kSharedNoiseToken0 = {"B06", "shared_noise_token0", "the uniform of the acceptance test is token 0's noise, too", "接受检验的均匀数同时是词元 0 的噪声", "vllm-ascend V2 (A2)", true, false, nullptr, recovered, nullptr, nullptr, nullptr};

}  // namespace vaa
