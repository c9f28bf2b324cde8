// vllm-ascend's entropy verify: u times min(exp(-alpha H), cap), H of the row before the pipeline. Lossy on purpose.
#include <algorithm>

#include "base/math.h"
#include "reject/verifier/methods/method.h"

namespace vaa {

Odds entropy_odds(const Policy& policy, double p, double q, double entropy) {
  const double factor = std::min(math::exp(-policy.entropy_alpha * entropy), policy.entropy_cap);
  Odds odds = plain_odds(policy, p, q);
  odds.denominator *= factor;
  return odds;
}

}  // namespace vaa
