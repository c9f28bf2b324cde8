// vaa_ladder: answers of a run cut at absolute positions and asked of each server; two or more servers are compared with the first, position by position.
#pragma once
#include <string>
#include <string_view>

#include "capture/ask_report.h"
#include "capture/asker.h"

namespace vaa::capture {

// Throws Failure.
AskReport ladder(Asker* asker, const std::string& run, const std::string& out_path, std::string_view options, vaa_task* task);

}  // namespace vaa::capture
