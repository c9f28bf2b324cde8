// vaa_bisect: the first absolute position from which the second server parts from the first.
#pragma once
#include <string>
#include <string_view>

#include "capture/ask_report.h"
#include "capture/asker.h"

namespace vaa::capture {

// Throws Failure.
AskReport bisect(Asker* asker, const std::string& run, const std::string& out_path, std::string_view options, vaa_task* task);

}  // namespace vaa::capture
