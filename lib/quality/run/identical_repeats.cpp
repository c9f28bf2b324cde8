// Repeats of a question that do not differ although they were sampled.
#include "quality/run/run_check.h"

namespace vaa {

extern const RunCheck kIdenticalRepeats;
const RunCheck kIdenticalRepeats = {
    "identical_repeats", 0.5, true,
    {"questions whose repeats are identical", "多次重复完全相同的题目"},
    {"Sampled answers to the same question are the same byte by byte: the seed is stuck, or the temperature never reached the sampler.", "对同一问题的多次采样回答逐字节相同：随机种子被固定，或温度参数没有生效。"},
    {}};

}  // namespace vaa
