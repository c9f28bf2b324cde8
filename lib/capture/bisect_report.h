// The words of a bisection.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/structural.h"
#include "capture/ask_report.h"
#include "capture/rungs.h"
#include "capture/search.h"
#include "capture/swing.h"

namespace vaa::capture {

struct BisectSeen {
  std::string run;
  PassageCounts counts;
  int64_t answers = 0, tokens = 32, low = 1, high = 1, repeat = 4;
  int64_t reach_high = 0;             // answers that are long enough for `high`
  bool drawn = false;
  bool ids_only = false;              // no logprobs: a parting cannot be told from a near tie
  int concurrency = 1, other_concurrency = 1;  // of the reference against itself
  int64_t itself_parted = 0;          // continuations of the reference that parted from themselves at all, near ties included
  Tau tau;
  Rate target_itself;                 // B against itself at the ends, asked for where it parts from the start; n 0: not asked for
  SearchResult result;
  std::vector<StructuralHit> hits;
  bool numbers_given = false;         // a config, names, or a length that a server told
  int64_t answered = 0, failed = 0, resumed = 0;
  std::vector<std::string> failures;
  std::vector<Both> notes;
};

// B does not repeat itself, by more than A does not: parting from the start is then its noise, or a fault that comes and goes, and has no position.
bool target_is_unsteady(const BisectSeen& seen);
int bisect_verdict(const BisectSeen& seen);
AskReport bisect_report(const BisectSeen& seen, const std::vector<Server>& servers);

}  // namespace vaa::capture
