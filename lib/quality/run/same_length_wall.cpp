// A cut that nothing records.
#include "quality/run/run_check.h"

namespace vaa {

extern const RunCheck kSameLengthWall;
const RunCheck kSameLengthWall = {
    "same_length_wall", 0.05, true,
    {"answers cut at one length", "在同一长度处被截断的回答"},
    {"The longest answers end at one length or in the middle of a sentence: they were cut, and no finish reason says so.", "最长的回答停在同一长度，或停在句子中间：它们被截断了，而结束原因没有记录。"},
    {}};

}  // namespace vaa
