// The same long answer to different questions.
#include "quality/run/run_check.h"

namespace vaa {

extern const RunCheck kDuplicateAnswers;
const RunCheck kDuplicateAnswers = {
    "duplicate_answers", 0.01, false,
    {"one answer to several questions", "不同问题得到相同回答"},
    {"Different questions have the same long answer, byte by byte.", "不同的问题得到逐字节相同的长回答。"},
    {}};

}  // namespace vaa
