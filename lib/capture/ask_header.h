// The run header (vaa.run/1) of an ask: at the beginning what is asked of what, at the end also what the engines counted.
#pragma once
#include <string>
#include <vector>

#include "capture/ask_run.h"
#include "capture/path_evidence.h"

namespace vaa::capture {

// `evidence` by server; empty at the beginning. `given`: the options as they were given, JSON.
std::string ask_header(const AskSeen& seen, const std::vector<Server>& servers, const std::vector<PathEvidence>& evidence, std::string_view given);
// A file that was asked of another model or for another purpose is not gone on with. Throws Failure (VAA_ERROR_ARGUMENT).
void check_resumed_header(std::string_view header, const AskSeen& seen, const std::vector<Server>& servers);

}  // namespace vaa::capture
