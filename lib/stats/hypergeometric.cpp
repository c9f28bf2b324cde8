#include "stats/hypergeometric.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "stats/tails.h"

namespace vaa::stats {
namespace {

// From this standard deviation on the sum of a tail is taken as an integral.
constexpr double kIntegralFrom = 20000;

__extension__ using Wide = __int128;

}  // namespace

HypergeometricTable::HypergeometricTable(int64_t a, int64_t b, int64_t c, int64_t d)
    : a_(a), row_(a + b), other_row_(c + d), column_(a + c), other_column_(b + d), total_(a + b + c + d) {
  const auto rest = [](int64_t z) { return factorial_rest(static_cast<double>(z)); };
  log_margins_ = rest(row_) + rest(other_row_) + rest(column_) + rest(other_column_) - rest(total_);
  const double n = std::max(2.0, static_cast<double>(total_));
  spread_ = std::sqrt(static_cast<double>(row_) / n * static_cast<double>(other_row_) / n * static_cast<double>(column_) / (n - 1) * static_cast<double>(other_column_));
}

int64_t HypergeometricTable::least() const { return std::max<int64_t>(0, row_ - other_column_); }
int64_t HypergeometricTable::most() const { return std::min(row_, column_); }
int64_t HypergeometricTable::mode() const {
  const Wide mode = (static_cast<Wide>(row_) + 1) * (static_cast<Wide>(column_) + 1) / (static_cast<Wide>(total_) + 2);
  return std::clamp(static_cast<int64_t>(mode), least(), most());
}

HypergeometricTable::Cells HypergeometricTable::cells(int64_t a) const {
  const int64_t b = row_ - a, c = column_ - a, d = other_row_ - c;
  // a - row column / total = (a d - b c) / total
  const Wide cross = static_cast<Wide>(a) * d - static_cast<Wide>(b) * c;
  const double deviation = total_ == 0 ? 0 : static_cast<double>(cross) / static_cast<double>(total_);
  return {static_cast<double>(a), static_cast<double>(b), static_cast<double>(c), static_cast<double>(d), deviation};
}

// log of (the product of the margins' factorials) / (total! and the product of the cells'): with z! = exp(rest(z) + z log z - z) what is not rest is the sum of
// the cells' deviances from their means.
double HypergeometricTable::log_pmf(const Cells& z) const {
  const double n = std::max(1.0, static_cast<double>(total_));
  const auto cell = [&](double count, int64_t row, int64_t column, double deviation) {
    const double mean = static_cast<double>(row) / n * static_cast<double>(column);
    return count == 0 && mean == 0 ? 0 : factorial_rest(count) + deviance(count, mean, deviation);
  };
  return log_margins_ - cell(z.a, row_, column_, z.deviation) - cell(z.b, row_, other_column_, -z.deviation) - cell(z.c, other_row_, column_, -z.deviation) -
         cell(z.d, other_row_, other_column_, z.deviation);
}

double HypergeometricTable::log_pmf(int64_t a) const { return log_pmf(cells(a)); }

// The sum from a in the direction that leads away from the mode.
double HypergeometricTable::outer(int64_t a, int direction) const {
  if (spread_ > kIntegralFrom) return outer_by_integral(a, direction);
  const Cells start = cells(a);
  double falling1 = direction > 0 ? start.b : start.a, falling2 = direction > 0 ? start.c : start.d;
  double rising1 = direction > 0 ? start.a : start.b, rising2 = direction > 0 ? start.d : start.c;
  double term = 1, sum = 1;
  while (falling1 > 0 && falling2 > 0 && term > 0x1p-60 * sum) {
    term *= falling1-- / ++rising1 * (falling2-- / ++rising2);
    sum += term;
  }
  return math::exp(log_pmf(start)) * sum;
}

// The sum of f(k) for k >= a is the integral of f from a - 1/2 on and f'(a - 1/2) / 24 (Euler and Maclaurin, by midpoints); the next term is smaller by the
// square of f'/f, which is below 40 / spread.
double HypergeometricTable::outer_by_integral(int64_t a, int direction) const {
  const Cells start = cells(a);
  const auto moved = [&](double e) { return Cells{start.a + e, start.b - e, start.c - e, start.d + e, start.deviation + e}; };
  const auto density = [&](double e) {
    const Cells z = moved(e);
    return z.a < 0 || z.b < 0 || z.c < 0 || z.d < 0 ? 0 : math::exp(log_pmf(z));
  };
  const double edge = -0.5 * direction;
  const Cells z = moved(edge);
  const double n = static_cast<double>(total_);
  const auto mean_share = [&](double count, int64_t row, int64_t column, double deviation) {
    return math::log1p(deviation / (static_cast<double>(row) / n * static_cast<double>(column))) + 0.5 / count;
  };
  const double slope = std::fabs(mean_share(z.a, row_, column_, z.deviation) - mean_share(z.b, row_, other_column_, -z.deviation) -
                                 mean_share(z.c, other_row_, column_, -z.deviation) + mean_share(z.d, other_row_, other_column_, z.deviation));
  return integrate_tail(density, edge, direction, slope, spread_) - density(edge) * slope / 24;
}

double HypergeometricTable::at_least(int64_t a) const {
  if (a <= least()) return 1;
  if (a > most()) return 0;
  return std::min(1.0, a > mode() ? outer(a, 1) : 1 - outer(a - 1, -1));
}

double HypergeometricTable::at_most(int64_t a) const {
  if (a >= most()) return 1;
  if (a < least()) return 0;
  return std::min(1.0, a < mode() ? outer(a, -1) : 1 - outer(a + 1, 1));
}

}  // namespace vaa::stats
