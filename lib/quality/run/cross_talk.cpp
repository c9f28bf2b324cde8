// Answers to someone else's question.
#include "quality/run/run_check.h"

namespace vaa {

extern const RunCheck kCrossTalk;
const RunCheck kCrossTalk = {
    "cross_talk", 0.001, false,
    {"answers to another prompt", "答非所问（串扰）"},
    {"The answer uses the rare words and numbers of another prompt of the run and none of its own: it answers someone else's question.", "回答使用了本次运行中另一条提示词的罕见词与数字，却没有用到自己的：它回答的是别人的问题。"},
    {}};

}  // namespace vaa
