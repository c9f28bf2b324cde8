// Answers that all begin alike from some repeat or dataset on.
#include "quality/run/run_check.h"

namespace vaa {

extern const RunCheck kFirstTokenCollapse;
const RunCheck kFirstTokenCollapse = {
    "first_token_collapse", 1.0, false,
    {"answers that all begin with the same word", "以同一个词开头的回答"},
    {"Nearly all answers of one repeat or dataset begin with the same word, and those of the others do not.", "某次重复或某个数据集的回答几乎都以同一个词开头，而其他的并非如此。"},
    {}};

}  // namespace vaa
