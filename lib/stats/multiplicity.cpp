#include "stats/multiplicity.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "stats/arguments.h"

namespace vaa::stats {
namespace {

// The places of the p values from the smallest to the largest; equal ones in the order of the input.
std::vector<size_t> ascending(const char* function, std::span<const double> p) {
  for (size_t i = 0; i < p.size(); ++i) check_share(function, "p[" + std::to_string(i) + "]", p[i]);
  std::vector<size_t> order(p.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return p[a] < p[b]; });
  return order;
}

}  // namespace

std::vector<double> benjamini_hochberg(std::span<const double> p) {
  const std::vector<size_t> order = ascending("benjamini_hochberg", p);
  const double n = static_cast<double>(p.size());
  std::vector<double> adjusted(p.size());
  double least = 1;
  for (size_t rank = order.size(); rank > 0; --rank) {
    const size_t place = order[rank - 1];
    least = std::min(least, p[place] * n / static_cast<double>(rank));
    adjusted[place] = least;
  }
  return adjusted;
}

std::vector<double> holm(std::span<const double> p) {
  const std::vector<size_t> order = ascending("holm", p);
  std::vector<double> adjusted(p.size());
  double most = 0;
  for (size_t rank = 0; rank < order.size(); ++rank) {
    const size_t place = order[rank];
    most = std::max(most, std::min(1.0, p[place] * static_cast<double>(p.size() - rank)));
    adjusted[place] = most;
  }
  return adjusted;
}

}  // namespace vaa::stats
