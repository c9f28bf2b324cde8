#include "capture/again_cells.h"

#include <algorithm>

namespace vaa::capture {

int64_t AgainCell::bad() const { return std::count(outcomes.begin(), outcomes.end(), Outcome::kBad); }
int64_t AgainCell::failed() const { return std::count(outcomes.begin(), outcomes.end(), Outcome::kFailed); }

Rate AgainCell::counted(int64_t stop_after) const {
  int64_t k = 0, n = 0;
  for (const Outcome outcome : outcomes) {
    if (outcome != Outcome::kGood && outcome != Outcome::kBad) continue;
    ++n;
    k += outcome == Outcome::kBad;
    if (stop_after > 0 && k == stop_after) {
      Rate rate = rate_of(k, n);
      rate.high = rate_of(k - 1, n - 1).high;
      return rate;
    }
  }
  return rate_of(k, n);
}

Rate again_total(const AgainSeen& seen, size_t server, int concurrency) {
  int64_t k = 0, n = 0;
  for (size_t c = 0; c < seen.cases.size(); ++c) {
    for (size_t level = 0; level < seen.concurrencies.size(); ++level) {
      if (concurrency >= 0 && level != static_cast<size_t>(concurrency)) continue;
      const Rate rate = seen.cell(c, server, level).counted(seen.stop_after);
      k += rate.k;
      n += rate.n;
    }
  }
  return rate_of(k, n);
}

}  // namespace vaa::capture
