// vaa_ask.
#pragma once
#include <string>
#include <string_view>

#include "capture/ask_report.h"
#include "capture/asker.h"

namespace vaa::capture {

// Throws Failure.
AskReport ask(Asker* asker, const std::string& input, const std::string& out_path, std::string_view options, vaa_task* task);

}  // namespace vaa::capture
