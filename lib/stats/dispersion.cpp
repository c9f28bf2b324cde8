#include "stats/dispersion.h"

#include <limits>

#include "base/exact_sum.h"
#include "stats/arguments.h"
#include "stats/tails.h"

namespace vaa::stats {

Dispersion dispersion(std::span<const int64_t> counts) {
  check_some("dispersion", "counts", counts.size(), 2);
  ExactMoments moments;
  for (size_t i = 0; i < counts.size(); ++i) {
    check_count("dispersion", element("counts", i), counts[i]);
    moments.add(static_cast<double>(counts[i]));
  }
  Dispersion result;
  if (moments.sum() == 0) {
    result.ratio = std::numeric_limits<double>::quiet_NaN();
    return result;
  }
  const double freedom = static_cast<double>(counts.size() - 1);
  result.ratio = moments.variance() / moments.mean();
  result.p = gamma_tails(0.5 * freedom, 0.5 * freedom * result.ratio).upper;
  return result;
}

}  // namespace vaa::stats
