// How much may change, by what was changed on purpose: one table. A gate fires when the interval of the effect lies beyond its margin.
#pragma once
#include <span>
#include <string_view>

#include "base/sections.h"

namespace vaa {

struct Margins {
  const char* change;     // none, schedule, parallel, version, hardware, quant, spec
  double score_drop;      // of the mean score, 0 to 1
  double flag_excess;     // of broken answers, share of answers
  double length_ratio;    // of output lengths, either way
  double sigma_ratio;     // of the target's token noise to that of the reference against itself
  double mean_kl;         // nats a token, above that of the reference against itself
  double suspect_share;   // of first divergences that are no near tie, above that of the reference against itself
  bool gates_tokens;      // false: token distances are reported and gate nothing
  Both why;               // where the numbers come from
};
std::span<const Margins> margin_table();
const Margins& find_margins(std::string_view change);  // of the table; an option of that choice

}  // namespace vaa
