// Locally typical sampling (Meister and others 2022) as llama.cpp has it: in order of |-log p - H|, H the row's entropy, the first tokens whose mass exceeds typical_p.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/math.h"
#include "sampler/stages/stage.h"

namespace vaa {

void apply_typical_p(const StageInput& input, LogitRow* row) {
  const double limit = row->round(input.params[Param::kTypicalP]);
  if (limit >= 1) return;
  row->weigh();
  std::vector<double>& distance = row->reals;
  distance.resize(std::max(distance.size(), row->size));
  double entropy = 0;
  for (size_t i = 0; i < row->size; ++i) {
    const double p = row->probability(i);
    if (p > 0) entropy -= p * math::log(p);
  }
  for (size_t i = 0; i < row->size; ++i) distance[i] = row->round(std::fabs(-math::log(row->probability(i)) - entropy));
  const std::span<const uint32_t> places = row->sorted([&](uint32_t a, uint32_t b) { return std::tuple(distance[a], -row->weights[a], a) < std::tuple(distance[b], -row->weights[b], b); });
  double mass = 0;
  size_t kept = 0;
  while (kept < row->size && mass <= limit) mass += row->probability(places[kept++]);
  for (size_t j = 0; j < kept; ++j) row->marks[static_cast<size_t>(row->id(places[j]))] = 1;
  const auto marked = [&](size_t i) {
    int32_t& mark = row->marks[static_cast<size_t>(row->id(i))];
    const bool keep = mark != 0;
    mark = 0;
    return keep;
  };
  row->keep_if(marked);
  row->weighed = false;  // the likeliest may be gone
  row->drop_masked("typical_p");
}

}  // namespace vaa
