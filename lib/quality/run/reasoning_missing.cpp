// Answers without a thought where the others have one.
#include "quality/run/run_check.h"

namespace vaa {

extern const RunCheck kReasoningMissing;
const RunCheck kReasoningMissing = {
    "reasoning_missing", 1.0, true,
    {"answers without the reasoning that the others have", "缺少思考部分的回答"},
    {"Nearly all answers of the dataset have reasoning and these have none: a reasoning parser kept a cut thought as the answer, or thinking was off for them.", "该数据集几乎所有回答都有思考部分，而这些没有：推理解析器把被截断的思考当成了回答，或这些请求没有开启思考。"},
    {}};

}  // namespace vaa
