#include "compare/impossible_numbers.h"

namespace vaa {

bool too_impossible(const SideFaults& side) { return side.impossible > 1 && static_cast<double>(side.impossible) > kMostImpossible * static_cast<double>(side.scored); }

bool too_impossible(const TokenEvidence& tokens) { return too_impossible(tokens.reference) || too_impossible(tokens.target); }

}  // namespace vaa
