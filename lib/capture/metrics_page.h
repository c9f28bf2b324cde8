// One server's /metrics page, by one GET.
#pragma once
#include <string>

#include "capture/asker.h"

namespace vaa::capture {

// Of the URL at `index` of the options; nothing else is asked of the server. Throws Failure: VAA_ERROR_ARGUMENT (no such URL), VAA_ERROR_IO (no page came within 10 s, with the URL and why), VAA_ERROR_CANCELLED.
std::string metrics_page(const AskerOptions& options, int64_t index, const vaa_task* task);

}  // namespace vaa::capture
