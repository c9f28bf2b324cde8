// What a run could not be told, why, and what would let it be known. Said once a run.
#pragma once
#include <string>
#include <vector>

#include "quality/score.h"
#include "report/check.h"

namespace vaa {

struct Limit {
  std::string what;                // finish_reason, token_ids, prompt, score, id, …
  int64_t n = 0, of = 0;           // so many of so many samples lack it
  std::vector<std::string> flags;  // that are unknown for want of it, where that is known
  std::string next;                // a command or an option, as it is typed; "" : none is known
  Said words;
  bool next_is_request = false;    // next goes into a request's JSON; else it is a command
};
std::vector<Limit> run_limits(const Tally::State& state, const RunView& view, const InputFacts& facts);
// How to record what this flag needs, for option require.
Said how_to_record(int flag, std::string_view format);

}  // namespace vaa
