// What an engine really uses for a request, field by field, and where each value comes from.
#pragma once
#include <string>
#include <vector>

#include "align/setup.h"

namespace vaa {

struct EffectiveField {
  std::string name;
  Setting value;      // empty: not known
  std::string from;   // "request", "launch: --temp", "--override-generation-config", "generation_config.json", "vLLM default"; of an unknown one: what is missing
  std::string asked;  // what it was before the engine changed it; "" : it did not
};
struct Effective {
  RequestDefaults engine;
  std::string entry;                  // the entry point whose defaults hold
  std::vector<EffectiveField> fields; // in the order of effective_fields()
  const EffectiveField& field(std::string_view name) const;
};

// greedy, temperature, top_k, …: names in the order of reports.
const std::vector<std::string_view>& effective_fields();
// Failures name the side (Setup::name or `which`) and the member: an engine or entry point that is not known.
Effective effective_parameters(const Setup& setup, const std::string& which);

}  // namespace vaa
