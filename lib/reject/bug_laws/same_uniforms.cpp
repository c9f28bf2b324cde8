#include "reject/bug_laws/bug_law.h"

namespace vaa {

extern const BugLaw kSameUniforms;
const BugLaw kSameUniforms = {"", "same_uniforms", "every step draws the same uniforms: the generator is seeded anew", "每一步抽到相同的均匀数：生成器被重新播种", "vllm-metal#50", false, false, nullptr, nullptr, nullptr, nullptr, nullptr};

}  // namespace vaa
