// What was said before is made less likely: z / r where z > 0, else z * r; then z - f * count; then z - s where the count is not 0. Each step is rounded as the engine holds logits.
#include <algorithm>

#include "base/failure.h"
#include "sampler/stages/stage.h"

namespace vaa {
namespace {

// Two stretches of ids that a penalty looks at: of the prompt and of the output.
struct Seen {
  std::span<const int32_t> prompt, output;
};

Seen seen_by(const StageInput& input, Rule rule, const char* penalty, const LogitRow& row) {
  switch (input.engine.rule<Scope>(rule)) {
    case Scope::kOutput: return {{}, input.output};
    case Scope::kAll: return {input.prompt, input.output};
    case Scope::kLastN: {
      const double n = input.params[Param::kPenaltyLastN];
      const size_t all = input.prompt.size() + input.output.size();
      const size_t kept = n < 0 ? all : std::min(all, static_cast<size_t>(n));
      const size_t of_output = std::min(kept, input.output.size());
      return {input.prompt.last(kept - of_output), input.output.last(of_output)};
    }
    case Scope::kNone: fail(VAA_ERROR_ARGUMENT, row.where() + penalty + ": engine " + input.engine.name + " has none");
    case Scope::kUnknown: break;
  }
  fail_unknown(input.engine, rule, row.where() + penalty + " is on");
}

template <class Visit>
void for_each(const Seen& seen, Visit&& visit) {
  for (const int32_t id : seen.prompt) visit(static_cast<size_t>(id));
  for (const int32_t id : seen.output) visit(static_cast<size_t>(id));
}

double repeated(double z, double penalty, Arithmetic arithmetic, const LogitRow& row) {
  if (z <= 0) return row.round(z * penalty);
  return arithmetic == Arithmetic::kReciprocal ? row.round(z * row.round(1 / penalty)) : row.round(z / penalty);
}

}  // namespace

void apply_penalties(const StageInput& input, LogitRow* row) {
  const bool repetition = !input.params.is_off(Param::kRepetitionPenalty);
  const bool counted = !input.params.is_off(Param::kFrequencyPenalty) || !input.params.is_off(Param::kPresencePenalty);
  if (!repetition && !counted) return;
  const Arithmetic arithmetic = input.engine.rule<Arithmetic>(Rule::kRepetitionArithmetic);
  if (repetition && arithmetic == Arithmetic::kUnknown) fail_unknown(input.engine, Rule::kRepetitionArithmetic, row->where() + "repetition_penalty is on");
  const Seen marked = repetition ? seen_by(input, Rule::kRepetitionScope, "repetition_penalty", *row) : Seen{};
  const Seen counts = counted ? seen_by(input, Rule::kFrequencyScope, "frequency_penalty or presence_penalty", *row) : Seen{};
  for_each(marked, [&](size_t id) { row->marks[id] = 1; });
  for_each(counts, [&](size_t id) { ++row->counts[id]; });
  const double r = row->round(input.params[Param::kRepetitionPenalty]), f = row->round(input.params[Param::kFrequencyPenalty]), s = row->round(input.params[Param::kPresencePenalty]);
  const auto apply = [&](size_t id) {
    double& z = row->z[id];
    if (row->marks[id] != 0) z = repeated(z, r, arithmetic, *row);
    if (row->counts[id] != 0) z = row->round(row->round(z - row->round(f * row->counts[id])) - s);
    row->marks[id] = row->counts[id] = 0;
  };
  for_each(marked, apply);
  for_each(counts, apply);
  row->change();
}

}  // namespace vaa
