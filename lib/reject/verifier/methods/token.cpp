// The token rule (Leviathan et al. 2023; Chen et al. 2023): accepted with min(1, p / q).
#include "reject/verifier/methods/method.h"

namespace vaa {

Odds token_odds(const Policy& policy, double p, double q, double) { return plain_odds(policy, p, q); }

}  // namespace vaa
