#include "reject/bug_laws/bug_law.h"

namespace vaa {

extern const BugLaw kAliasedRestore;
const BugLaw kAliasedRestore = {"B01", "aliased_restore", "p(d) restored as 0: the saved number was a view of the entry that was zeroed", "p(d) 恢复为 0：保存的值是已清零元素的视图", "vllm-ascend#1632, #2881", false, false,
                                [](const LawView&, size_t) { return 0.0; }, nullptr, nullptr, nullptr, nullptr};

}  // namespace vaa
