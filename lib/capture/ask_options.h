// Options of vaa_ask (include/vaa/capture.h).
#pragma once
#include <string_view>

#include "base/options.h"
#include "capture/record_log.h"
#include "capture/request.h"

namespace vaa::capture {

struct AskOptions {
  const Purpose* purpose = nullptr;
  SourceOptions source;
  RequestChanges changes;
  Existing existing = Existing::kRefuse;
  double metrics_every_s = 10;
  bool dry_run = false;
};
// max_tokens, temperature, top_p, top_k, request_seed, top_logprobs and stream, of any table that has them all.
RequestChanges request_changes(const Options& options);
// Throws Failure (VAA_ERROR_OPTION).
AskOptions ask_options(std::string_view json);

}  // namespace vaa::capture
