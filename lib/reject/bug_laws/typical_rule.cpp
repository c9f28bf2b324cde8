#include <algorithm>

#include "base/math.h"
#include "reject/bug_laws/bug_law.h"
#include "reject/steps/row_law.h"

namespace vaa {
namespace {

constexpr double kEpsilon = 0.09, kDelta = 0.3;  // its defaults

double accept(const LawView& view, size_t at) { return view.p[at] > std::min(kEpsilon, kDelta * math::exp(-row_entropy(view.full->target(at)))); }

}  // namespace

extern const BugLaw kTypicalRule;
const BugLaw kTypicalRule = {"D11", "typical_rule", "drafts are accepted where they are typical, which is lossy and not declared", "典型接受规则：有损且未声明", "Medusa; vLLM V0", true, false, accept, nullptr, nullptr, nullptr, nullptr};

}  // namespace vaa
