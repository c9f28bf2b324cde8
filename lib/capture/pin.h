// Where between two rungs the fault begins, from the single tokens: a flat prior over the positions, a Beta prior for the share of wrong tokens on each path.
#pragma once
#include <cstdint>
#include <span>

#include "capture/search.h"

namespace vaa::capture {

struct Pinned {
  int64_t lo = 0, hi = 0;     // the shortest interval (lo, hi] that holds 95 % of the posterior
  bool told = false;          // a trial bore on it
};
// Tokens before the edge are wrong as often as in `itself` (Jeffreys prior); those after it at a rate of their own (uniform prior) for first tokens, for tokens of rungs that began before the
// edge, and for later tokens of rungs that began after it. An answer counts once at each position, however often and on whatever path it was asked:
// a server that repeats itself brings nothing new.
Pinned pin_edge(int64_t lo, int64_t hi, std::span<const RungTrial> itself, std::span<const RungTrial> trials);

}  // namespace vaa::capture
