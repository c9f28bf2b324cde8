#include "reject/spec_counts.h"

#include <algorithm>

namespace vaa {

void add_counts(SpecCounts* to, const SpecCounts& from) {
  to->drafts += from.drafts;
  to->draft_tokens += from.draft_tokens;
  to->accepted += from.accepted;
  to->generated += from.generated;
  if (from.at_position.size() > to->at_position.size()) to->at_position.resize(from.at_position.size(), 0.0);
  for (size_t i = 0; i < from.at_position.size(); ++i) to->at_position[i] += from.at_position[i];
}

std::string SpecSeries::label() const {
  const std::string name = engine.empty() ? "engine" : "engine " + engine;
  return server.empty() ? name : server + ": " + name;
}

double least_drafts(const SpecCounts& counts, double tokens_per_draft) {
  if (!std::isnan(counts.drafts)) return counts.drafts;
  return std::isnan(counts.draft_tokens) ? 0 : std::ceil(counts.draft_tokens / tokens_per_draft);
}

}  // namespace vaa
