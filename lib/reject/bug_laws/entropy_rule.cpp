#include <algorithm>

#include "base/math.h"
#include "reject/bug_laws/bug_law.h"
#include "reject/steps/row_law.h"

namespace vaa {
namespace {

constexpr double kAlpha = 0.4, kCap = 0.95;  // its defaults

double accept(const LawView& view, size_t at) { return std::min(1.0, view.accept[at] / std::min(math::exp(-kAlpha * row_entropy(view.full->target(at))), kCap)); }

}  // namespace

extern const BugLaw kEntropyRule;
const BugLaw kEntropyRule = {"D12", "entropy_rule", "uniforms are scaled by the entropy (enable_entropy_verify), which is lossy and not declared", "均匀数按熵缩放（enable_entropy_verify），有损且未声明", "vllm-ascend#9772", true, false, accept, nullptr, nullptr, nullptr, nullptr};

}  // namespace vaa
