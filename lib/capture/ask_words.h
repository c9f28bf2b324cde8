// The report of an ask in words and numbers.
#pragma once
#include <vector>

#include "capture/ask_report.h"
#include "capture/ask_run.h"
#include "capture/path_evidence.h"

namespace vaa::capture {

AskReport ask_words(const AskSeen& seen, const std::vector<Server>& servers, const std::vector<PathEvidence>& evidence);
// Of a dry run, which wrote `written` requests.
AskReport dry_run_words(const AskSeen& seen, const std::vector<Server>& servers, int64_t written);

}  // namespace vaa::capture
