// What a vaa_asker holds: options, servers as they were found, the session of vaa_asker_push.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "capture/session.h"

namespace vaa::capture {

struct AskerOptions {
  std::vector<std::string> urls;
  std::string engine = "auto", model;
  SessionOptions session;
};
// Throws Failure (VAA_ERROR_OPTION, VAA_ERROR_NOT_FOUND for a key that is not there).
AskerOptions asker_options(std::string_view json);

class Asker {
 public:
  explicit Asker(AskerOptions options) : options_(std::move(options)) {}
  const AskerOptions& options() const { return options_; }
  // Asked once, then remembered. Throws Failure (VAA_ERROR_IO) where a server cannot be reached (server_probe.cpp).
  const std::vector<Server>& servers(const vaa_task* task);
  // For vaa_asker_push and _next; made at the first of them.
  Session& session(const vaa_task* task);

 private:
  AskerOptions options_;
  std::vector<Server> servers_;
  std::unique_ptr<Session> session_;
};

// What the server at `url` is and gives (server_probe.cpp): GET /version, /v1/models, own paths and /metrics, POST /tokenize and trial requests. A server that is loading is waited for as long as
// `retries` and `max_retry_wait_s` let. Throws Failure: VAA_ERROR_IO, it cannot be reached, refuses the key, is no server of models; VAA_ERROR_NOT_FOUND, the model is not served.
Server probe_server(const AskerOptions& options, const std::string& url, const vaa_task* task);

}  // namespace vaa::capture
