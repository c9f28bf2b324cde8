// Which path shows the fault past an edge: prefill (the first token of a rung) or decode (the later ones).
#pragma once
#include <span>

#include "capture/search.h"

namespace vaa::capture {

// `lo`, `hi`: the edge lies in (lo, hi]. A path shows the fault when the lower 95 % limit of its rate is over the upper one of the reference against itself; it does not when its upper limit is
// under the rate that the other path shows (a token of decode beside a first token of prefill, a continuation beside one).
PathSeen path_seen(int64_t lo, int64_t hi, std::span<const RungTrial> itself, std::span<const RungTrial> trials);

}  // namespace vaa::capture
