// A token drawn from what is left, and the law that it is drawn from.
#pragma once
#include <cstddef>

#include "engines/policy.h"
#include "reject/verifier/value_row.h"

namespace vaa {

struct Recovered {
  int32_t id;
  bool near_tie;  // another one is within the boundary
  bool empty;     // nothing is left; then id is -1
};
struct RecoverBy {
  Recovery rule;
  std::span<const float> noise;  // a number for each id, or one uniform for an inverse CDF
  double boundary;               // relative, of the scores or masses
  bool fp32;                     // rounded to float between steps
  size_t request, position;      // for messages about the noise
};

// Race: argmax of w / E; Gumbel: argmax of log w + G; inverse CDF: the first id whose running mass, in the order of ids, exceeds u of the whole. Of equals the first. All of the noise is checked.
Recovered recover(const Residual& residual, const RecoverBy& by);

// The residual over its mass into `out`, which is as long as the vocabulary; 0 where nothing is left. Returns the mass.
double residual_law(const Residual& residual, std::span<double> out);

}  // namespace vaa
