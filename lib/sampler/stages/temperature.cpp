// Logits over the temperature; a greedy row keeps its argmax alone, of equal logits the one of the lowest id.
#include <algorithm>

#include "base/failure.h"
#include "sampler/stages/stage.h"

namespace vaa {

void apply_temperature(const StageInput& input, Row* row) {
  const Resolved resolved = input.params[Param::kGreedy] != 0 ? Resolved{true, 1} : resolve_temperature(input.engine, input.params[Param::kTemperature], row->where());
  if (resolved.greedy) {
    const auto begin = row->z.begin();
    const size_t best = static_cast<size_t>(std::max_element(begin, begin + static_cast<ptrdiff_t>(row->size)) - begin);
    row->keep_if([&](size_t i) { return i == best; });
    return;
  }
  const double t = row->round(resolved.temperature);
  if (t == 1) return;
  if (t == 0) fail(VAA_ERROR_ARGUMENT, row->where() + "temperature: is 0 in the precision of the row");
  row->weighed = false;
  for (size_t i = 0; i < row->size; ++i) row->z[i] /= t;
  row->max /= t;
  if (row->rounding == Rounding::kExact && t > 1e-200) return;
  for (size_t i = 0; i < row->size; ++i) row->z[i] = row->round(row->z[i]);
  row->drop_masked("temperature");  // what left the range
}

}  // namespace vaa
