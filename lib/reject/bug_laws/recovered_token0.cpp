#include "reject/bug_laws/bug_law.h"

namespace vaa {
namespace {

bool recovered(const LawView&, size_t, std::span<double> out) { return only(0, out); }

}  // namespace

extern const BugLaw kRecoveredToken0;
const BugLaw kRecoveredToken0 = {"", "recovered_token0", "token 0 stands in for every rejected draft: the residual is taken for empty, or its scan fails", "被拒草稿一律以词元 0 替换：残差被当作空，或扫描失败", "vllm-ascend#4673, flashinfer#2456", true, false, nullptr, recovered, nullptr, nullptr, nullptr};

}  // namespace vaa
