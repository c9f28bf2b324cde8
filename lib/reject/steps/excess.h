// Outcomes against their expectation: what happened less what was due, over any contexts (sampling.md §2.5, T01). The same bits in any order.
#pragma once
#include <cstdint>

#include "base/exact_sum.h"
#include "reject/audit_finding.h"

namespace vaa {

// Outcomes of 0 or 1 with a known chance each. Given their contexts they are independent, so the sum of outcome - chance is a martingale whose variance is the sum of chance (1 - chance).
class Excess {
 public:
  void add(bool outcome, double chance);
  int64_t count() const { return sum_.count(); }
  double excess() const { return sum_.value(); }        // outcomes less those due
  double due() const { return due_.value(); }
  double outcomes() const { return excess() + due(); }
  double per_outcome() const;                           // excess() / count(); NaN for none
  // Variance of excess(): as the chances say, or as large as what was seen, (outcome - chance)^2, makes it: where chances are wrong they are wrong about the variance, too.
  double variance() const;
  double known_variance() const { return known_.value(); }  // the sum of chance (1 - chance)
  double z() const;                                     // excess / sqrt(chance (1 - chance)); NaN where that is 0

 private:
  ExactSum sum_, due_, known_, seen_;
};

// Fills in effect, interval, p, n, status and what is needed: fails where the interval lies beyond `margin` on either side, passes where it lies inside. `looks`: of so many the worst is shown.
void judge_excess(const Excess& excess, double margin, double looks, AuditFinding* out);
// The same of any estimate with its standard error; v: the variance of one of `n` outcomes, by which the need is counted.
void judge_difference(double effect, double standard_error, double v, double n, double margin, double looks, AuditFinding* out);

// k of n rows with something that a sound engine does not have; `floor`: the share up to which it may be chance. Exact; undecided where a twentieth of the rows could have it unseen.
void judge_rare(int64_t k, int64_t n, double floor, AuditFinding* out);

}  // namespace vaa
