// Whether an ask got what it was for.
#pragma once
#include <vector>

#include "capture/ask_report.h"
#include "capture/ask_run.h"
#include "capture/path_evidence.h"

namespace vaa::capture {

// pass: all were answered, and what the purpose needs is there; undecided: some failed, or the path under test did not run, or nothing tells that it did; not_checked: nothing was answered.
int ask_verdict(const AskSeen& seen, const std::vector<PathEvidence>& evidence, Both* reason);

}  // namespace vaa::capture
