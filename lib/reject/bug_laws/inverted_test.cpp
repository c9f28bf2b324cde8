#include "reject/bug_laws/bug_law.h"

namespace vaa {

extern const BugLaw kInvertedTest;
const BugLaw kInvertedTest = {"", "inverted_test", "the acceptance test is the wrong way round: p / q below u accepts", "接受检验方向相反：p / q 小于 u 时接受", "", false, false, [](const LawView& view, size_t at) { return 1 - view.accept[at]; }, nullptr, nullptr, nullptr, nullptr};

}  // namespace vaa
