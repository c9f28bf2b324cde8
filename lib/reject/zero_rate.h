// Whether drafts are accepted at all.
#pragma once
#include <cstdint>

#include "reject/spec_counts.h"
#include "stats/intervals.h"

namespace vaa {

// k of n drafts were accepted, drafts alike in bunches of `design`: exact binomial limits of n / design independent ones, k rounded up.
struct ZeroRate {
  double rate = 0;
  stats::Interval interval;   // 95 %, over `tests` of them
  double p = 1;               // P(so few | the share is `floor`), times `tests`
  int64_t n_needed = 0;       // drafts without one accepted that would show it
};
ZeroRate zero_rate(double n, double k, double design, double floor, double tests);

// Of drafts with their first token accepted, where positions are counted; else of draft tokens, those of one draft taken for one.
ZeroRate zero_of_drafts(const SpecCounts& counts, double tokens_per_draft, double design, double floor, double tests);
// The share that zero_of_drafts is of.
double draft_share(const SpecCounts& counts);

}  // namespace vaa
