// Typical acceptance (Cai et al. 2024, Medusa): p(d) > min(epsilon, delta exp(-H)), without a uniform. Lossy on purpose.
#include <algorithm>

#include "base/math.h"
#include "reject/verifier/methods/method.h"

namespace vaa {

Odds typical_odds(const Policy& policy, double p, double, double entropy) {
  const double threshold = std::min(policy.typical_epsilon, policy.typical_delta * math::exp(-entropy));
  return {p, threshold, p > threshold ? 1 : -1};
}

}  // namespace vaa
