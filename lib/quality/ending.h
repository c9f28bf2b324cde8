// How an answer ended: by itself, cut, or not known (docs/records.md, points 1 to 4; what only the text suggests is the detector's).
#pragma once
#include <cstdint>
#include <string_view>

#include "quality/finding.h"
#include "records/sample.h"

namespace vaa {

struct Ending {
  enum class Cut : int8_t { kNo, kCertain, kUnknown };
  Cut cut = Cut::kUnknown;
  const char* reason = "";   // of kCertain: finish_reason, max_tokens, stream_end, request_error
  bool by_itself = false;    // the model stopped (finish_reason stop, tool_calls and the like)
  bool by_repetition = false;  // the engine stopped it as a loop (finish_reason repetition)
};

Ending read_ending(const Sample& sample);
// Half a character is the last of the output: true where the limit certainly cut it, which is no damage. Where nothing is known the finding becomes a suspected warning.
bool excused_as_cut(const Ending& ending, Finding* finding);
// Completion tokens: usage, else the number of output ids; -1: not recorded.
int64_t completion_tokens(const Sample& sample);

}  // namespace vaa
