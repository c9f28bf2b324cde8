// From which length on a run in a running stream is suspected, and is a loop to stop (docs/monitor.md).
#pragma once
#include "quality/loops.h"
#include "quality/monitor.h"

namespace vaa {

// Lengths of runs, in bytes or in tokens.
struct RuleCovers {
  size_t cut;      // suspected: a loop if a limit cut the answer now (docs/detectors.md)
  size_t many;     // with min_count copies
  size_t brief;    // the same, of one short word
  size_t wide;     // with four copies
  size_t symbols;  // of what is no words, one letter, or data; with a hundred copies
};
constexpr RuleCovers kByteCovers{100, 600, 1500, 4000, 4096}, kTokenCovers{24, 150, 400, 1000, 1024};

// White space that is repeated within the unit counts once.
LoopCovers loop_covers(const LoopUnit& unit, size_t period, const MonitorOptions& options, const RuleCovers& defaults);
// The same for a unit of text whose numbers are one symbol each; SIZE_MAX where it is no prose.
LoopCovers counter_covers(std::string_view unit);

}  // namespace vaa
