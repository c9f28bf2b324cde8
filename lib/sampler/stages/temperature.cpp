// Logits over the temperature, which is 1 for a greedy row.
#include "base/failure.h"
#include "sampler/stages/stage.h"

namespace vaa {

void apply_temperature(const StageInput& input, LogitRow* row) {
  const Resolved resolved = input.params[Param::kGreedy] != 0 ? Resolved{true, 1} : resolve_temperature(input.engine, input.params[Param::kTemperature], row->where());
  row->greedy = resolved.greedy;
  const double t = row->round(resolved.temperature);
  if (t == 1) return;
  if (t == 0) fail(VAA_ERROR_ARGUMENT, row->where() + "temperature: is 0 in the precision of the row");
  row->change();
  for (size_t i = 0; i < row->size; ++i) row->z[i] /= t;
  row->max /= t;
  if (row->rounding == Rounding::kExact && t > 1e-200) return;
  for (size_t i = 0; i < row->size; ++i) row->z[i] = row->round(row->z[i]);
  row->drop_masked("temperature");  // what left the range
}

}  // namespace vaa
