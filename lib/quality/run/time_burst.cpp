// Failures that are crowded in a stretch of time.
#include "quality/run/run_check.h"

namespace vaa {

extern const RunCheck kTimeBurst;
const RunCheck kTimeBurst = {
    "time_burst", 1.0, false,
    {"failures crowded in time", "集中出现的故障"},
    {"Failed requests and broken answers are crowded in a stretch of time, more than chance would put there.", "失败的请求与损坏的回答集中在一段时间内，超出偶然的程度。"},
    {}};

}  // namespace vaa
