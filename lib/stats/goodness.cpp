#include "stats/goodness.h"

#include <limits>

#include "base/exact_sum.h"
#include "stats/arguments.h"
#include "stats/tails.h"

namespace vaa::stats {

Goodness pearson(std::span<const int64_t> observed, std::span<const double> probs) {
  check_some("pearson", "observed", observed.size());
  check_same_size("pearson", "probs", probs.size(), observed.size());
  ExactSum mass, total;
  for (size_t i = 0; i < probs.size(); ++i) {
    check_count("pearson", element("observed", i), observed[i]);
    check_share("pearson", element("probs", i), probs[i]);
    mass.add(probs[i]);
    total.add(static_cast<double>(observed[i]));
  }
  check_least("pearson", "the sum of probs", mass.value(), 1 - 1e-9);
  check_most("pearson", "the sum of probs", mass.value(), 1 + 1e-9);
  Goodness result;
  ExactSum chi2;
  bool impossible = false;
  for (size_t i = 0; i < probs.size(); ++i) {
    const double due = total.value() * probs[i], off = static_cast<double>(observed[i]) - due;
    result.freedom += probs[i] > 0;
    if (due > 0) chi2.add(off * off / due);
    else impossible = impossible || observed[i] > 0;
  }
  result.freedom -= 1;
  result.chi2 = impossible ? std::numeric_limits<double>::infinity() : chi2.value();
  if (impossible) result.p = 0;
  else if (result.freedom > 0) result.p = gamma_tails(static_cast<double>(result.freedom) / 2, result.chi2 / 2).upper;
  return result;
}

}  // namespace vaa::stats
