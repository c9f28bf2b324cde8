#include "stats/exact_tests.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "stats/arguments.h"
#include "stats/distributions.h"
#include "stats/hypergeometric.h"

namespace vaa::stats {
namespace {

// Two tables whose probabilities differ by less are equally likely, and were told apart by rounding.
constexpr double kSameLog = 1e-10;

void check_discordant(const char* function, int64_t b, int64_t c) {
  check_count(function, "b", b, 0, kMostCount / 2);
  check_count(function, "c", c, 0, kMostCount / 2);
}

HypergeometricTable checked_table(const char* function, int64_t a, int64_t b, int64_t c, int64_t d) {
  check_count(function, "a", a, 0, kMostCount / 4);
  check_count(function, "b", b, 0, kMostCount / 4);
  check_count(function, "c", c, 0, kMostCount / 4);
  check_count(function, "d", d, 0, kMostCount / 4);
  return {a, b, c, d};
}

// The last value in [inner, outer] or [outer, inner], going outward from inner, that is likelier than `log_limit`; inner itself must be.
int64_t last_likelier(const HypergeometricTable& table, int64_t inner, int64_t outer, double log_limit) {
  while (inner != outer) {
    const int64_t middle = outer > inner ? inner + (outer - inner + 1) / 2 : inner - (inner - outer + 1) / 2;
    if (table.log_pmf(middle) > log_limit) {
      inner = middle;
    } else {
      outer = middle > inner ? middle - 1 : middle + 1;
    }
  }
  return inner;
}

}  // namespace

double mcnemar_exact(int64_t b, int64_t c) {
  check_discordant("mcnemar_exact", b, c);
  if (b == c) return 1;
  return std::min(1.0, 2 * binomial_at_most(std::min(b, c), b + c, 0.5));
}

double mcnemar_mid_p(int64_t b, int64_t c) {
  check_discordant("mcnemar_mid_p", b, c);
  if (b == c) return 1;
  const int64_t less = std::min(b, c), n = b + c;
  // 2 P(X <= less) - P(X = less), without the difference
  return 2 * binomial_at_most(less - 1, n, 0.5) + binomial_pmf(less, n, 0.5);
}

double mcnemar_exact_greater(int64_t b, int64_t c) {
  check_discordant("mcnemar_exact_greater", b, c);
  return binomial_at_least(b, b + c, 0.5);
}

double mcnemar_chi2(int64_t b, int64_t c) {
  check_discordant("mcnemar_chi2", b, c);
  if (b == c) return 0;
  const double excess = static_cast<double>(std::abs(b - c)) - 1;
  return excess / static_cast<double>(b + c) * excess;
}

OddsRatio mcnemar_odds_ratio(int64_t b, int64_t c, double confidence) {
  check_discordant("mcnemar_odds_ratio", b, c);
  check_open_share("mcnemar_odds_ratio", "confidence", confidence);
  const Interval share = clopper_pearson(b, b + c, confidence);
  // The share of c is had the same way, so that neither end is a small difference from 1.
  const Interval other = clopper_pearson(c, b + c, confidence);
  const double ratio = b + c == 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(b) / static_cast<double>(c);
  return {ratio, {share.low / other.high, share.high / other.low}};
}

double fisher_exact(int64_t a, int64_t b, int64_t c, int64_t d) {
  const HypergeometricTable table = checked_table("fisher_exact", a, b, c, d);
  const double log_limit = table.log_pmf(a) + kSameLog;
  const int64_t mode = table.mode();
  if (table.log_pmf(mode) <= log_limit) return 1;
  const int64_t low = last_likelier(table, mode, table.least(), log_limit) - 1;
  const int64_t high = last_likelier(table, mode, table.most(), log_limit) + 1;
  return std::min(1.0, table.at_most(low) + table.at_least(high));
}

double fisher_exact_greater(int64_t a, int64_t b, int64_t c, int64_t d) { return checked_table("fisher_exact_greater", a, b, c, d).at_least(a); }

double fisher_exact_less(int64_t a, int64_t b, int64_t c, int64_t d) { return checked_table("fisher_exact_less", a, b, c, d).at_most(a); }

}  // namespace vaa::stats
