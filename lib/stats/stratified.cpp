#include "stats/stratified.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/math.h"
#include "stats/distributions.h"
#include "stats/exact_tests.h"
#include "stats/hypergeometric.h"

namespace vaa::stats {
namespace {

constexpr int64_t kMostValues = 4000;
constexpr double kAsLikely = 1 + 1e-7;  // rounding makes no table likelier

double mantel_haenszel(std::span<const TwoByTwo> tables) {
  double off = 0, variance = 0;
  for (const TwoByTwo& t : tables) {
    const auto on = static_cast<double>(t.a + t.b), rest = static_cast<double>(t.c + t.d), with = static_cast<double>(t.a + t.c), without = static_cast<double>(t.b + t.d), n = on + rest;
    if (n < 2) continue;
    off += static_cast<double>(t.a) - on * with / n;
    variance += on / n * rest / n * with / (n - 1) * without;
  }
  return variance > 0 ? normal_two_sided(std::max(0.0, std::abs(off) - 0.5) / std::sqrt(variance)) : 1;
}

}  // namespace

double stratified_exact(std::span<const TwoByTwo> tables) {
  if (tables.size() == 1) return fisher_exact(tables[0].a, tables[0].b, tables[0].c, tables[0].d);
  int64_t values = 1;
  for (const TwoByTwo& t : tables) {
    const HypergeometricTable h(t.a, t.b, t.c, t.d);
    values += h.most() - h.least();
  }
  if (values > kMostValues) return mantel_haenszel(tables);
  std::vector<double> chance{1};
  int64_t seen = 0;
  for (const TwoByTwo& t : tables) {
    const HypergeometricTable h(t.a, t.b, t.c, t.d);
    seen += t.a - h.least();
    std::vector<double> next(chance.size() + static_cast<size_t>(h.most() - h.least()), 0.0);
    for (int64_t a = h.least(); a <= h.most(); ++a) {
      const double p = math::exp(h.log_pmf(a));
      for (size_t i = 0; i < chance.size(); ++i) next[i + static_cast<size_t>(a - h.least())] += chance[i] * p;
    }
    chance = std::move(next);
  }
  const double most = chance[static_cast<size_t>(seen)] * kAsLikely;
  double p = 0;
  for (const double c : chance) p += c <= most ? c : 0;
  return std::min(1.0, p);
}

}  // namespace vaa::stats
