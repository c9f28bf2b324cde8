// Whether speculation ran, by the counters that a capture recorded and by what engines told of each request: what was compared with `--change spec` is proven or said not to be.
#pragma once
#include "compare/decide.h"

namespace vaa {

enum class Drafted : uint8_t {
  kUnknown,  // nothing tells
  kNo,       // counted, and none
  kPartly,   // by some of its servers or engines
  kYes,
};
struct SpecPath {
  Drafted drafted = Drafted::kUnknown;
  double draft_tokens = -1, accepted_tokens = -1;  // -1: not counted
  bool counted = false;                            // by the engine; false: told by requests
};
SpecPath spec_path(const RunSide& side);
Both spec_path_words(const SpecPath& path);

// Of runs that were made to compare speculation: neither side's can be another than plain decoding; "" : it may be, or they were not.
Both why_no_speculation(const ComparisonView& view);
// A comparison that passes proves nothing of speculation where nothing shows that it ran: undecided then.
void hold_to_path(const ComparisonView& view, Decision* decision);

}  // namespace vaa
