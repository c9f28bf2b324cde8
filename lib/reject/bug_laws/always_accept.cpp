#include "reject/bug_laws/bug_law.h"

namespace vaa {

extern const BugLaw kAlwaysAccept;
const BugLaw kAlwaysAccept = {"B02", "always_accept", "every draft is accepted: the uniform is 0", "所有草稿都被接受：均匀数恒为 0", "vllm-ascend#13470", false, false, [](const LawView&, size_t) { return 1.0; }, nullptr, nullptr, nullptr, nullptr};

}  // namespace vaa
