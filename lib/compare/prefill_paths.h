// Which ways prefill went in the pairs that are compared: in chunks, from a cached prefix.
#pragma once
#include <vector>

#include "compare/step.h"

namespace vaa {

// A line a way that is known: prompts longer than a chunk that a header records, prompts of which tokens were cached as the samples tell; and that the cache is not told of where it is not.
std::vector<SectionLine> prefill_path_lines(const ComparisonView& view);

}  // namespace vaa
