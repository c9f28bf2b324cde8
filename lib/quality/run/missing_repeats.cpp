// Questions with fewer repeats than the others.
#include "quality/run/run_check.h"

namespace vaa {

extern const RunCheck kMissingRepeats;
const RunCheck kMissingRepeats = {
    "missing_repeats", 0.01, true,
    {"missing repeats", "缺失的重复"},
    {"Questions have fewer answers than most of their dataset: repeats were lost.", "有些题目的回答数少于同一数据集的多数题目：部分重复丢失了。"},
    {}};

}  // namespace vaa
