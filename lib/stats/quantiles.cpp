#include "stats/quantiles.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/arguments.h"

namespace vaa::stats {

std::vector<double> quantiles(std::span<const double> values, std::span<const double> shares) {
  check_some("quantiles", "values", values.size());
  check_values("quantiles", "values", values, std::numeric_limits<double>::max() / 2);
  for (size_t i = 0; i < shares.size(); ++i) check_share("quantiles", element("shares", i), shares[i]);
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> result;
  for (const double share : shares) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const size_t below = static_cast<size_t>(place), above = std::min(below + 1, sorted.size() - 1);
    result.push_back(sorted[below] + (sorted[above] - sorted[below]) * (place - std::floor(place)));
  }
  return result;
}

}  // namespace vaa::stats
