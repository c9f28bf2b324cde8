// Tokens of at least min_p times the probability of the likeliest.
#include <algorithm>

#include "sampler/stages/stage.h"

namespace vaa {

void apply_min_p(const StageInput& input, LogitRow* row) {
  if (input.params.is_off(Param::kMinP)) return;
  row->weigh();
  const double most = *std::max_element(row->weights.begin(), row->weights.begin() + static_cast<ptrdiff_t>(row->size));
  const double least = row->round(row->round(input.params[Param::kMinP]) * most);
  row->keep_if([&](size_t i) { return row->weights[i] >= least; });
}

}  // namespace vaa
