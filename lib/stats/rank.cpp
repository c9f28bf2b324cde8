#include "stats/rank.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/exact_sum.h"
#include "stats/arguments.h"
#include "stats/distributions.h"

namespace vaa::stats {
namespace {

double sum_of_products(std::span<const double> x, std::span<const double> y) {
  ExactSum sum;
  for (size_t i = 0; i < x.size(); ++i) sum.add(x[i] * y[i]);
  return sum.value();
}

}  // namespace

std::vector<double> average_ranks(std::span<const double> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (size_t i = begin; i < end; ++i) ranks[order[i]] = 0.5 * static_cast<double>(begin + end + 1);
  }
  return ranks;
}

RankCorrelation spearman(std::span<const double> x, std::span<const double> y) {
  check_some("spearman", "x", x.size());
  check_same_size("spearman", "y", y.size(), x.size());
  check_values("spearman", "x", x, std::numeric_limits<double>::max());
  check_values("spearman", "y", y, std::numeric_limits<double>::max());
  const double n = static_cast<double>(x.size()), middle = 0.5 * (n + 1);
  std::vector<double> a = average_ranks(x), b = average_ranks(y);
  for (double& rank : a) rank -= middle;
  for (double& rank : b) rank -= middle;
  const double aa = sum_of_products(a, a), bb = sum_of_products(b, b), ab = sum_of_products(a, b);
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  if (n < 3 || aa == 0 || bb == 0) return {kNan, kNan, 1};
  RankCorrelation result;
  result.rho = std::clamp(ab / std::sqrt(aa * bb), -1.0, 1.0);
  // 1 - rho^2 is what the line through the ranks leaves of bb: no difference of near numbers.
  for (size_t i = 0; i < b.size(); ++i) b[i] -= ab / aa * a[i];
  const double rest = sum_of_products(b, b) / bb;
  result.t = rest > 0 ? result.rho * std::sqrt((n - 2) / rest) : std::copysign(std::numeric_limits<double>::infinity(), result.rho);
  result.p = rest > 0 ? student_two_sided(result.t, n - 2) : 0;
  return result;
}

}  // namespace vaa::stats
