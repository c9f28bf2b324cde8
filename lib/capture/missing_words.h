// What servers did not give, and the option or launch flag that would bring it.
#pragma once
#include "capture/ask_report.h"
#include "capture/ask_tally.h"
#include "capture/dialect.h"

namespace vaa::capture {

Both wanted_words(Wanted what);                            // "token ids"
Both wanted_advice(Wanted what, const Server& server);     // "" : nothing is known that would bring it
Both counters_advice(const Server& server);

}  // namespace vaa::capture
