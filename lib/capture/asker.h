// What a vaa_asker holds: options, servers as they were found, the queue of vaa_asker_push.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "capture/session.h"

namespace vaa {

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
  // Asked once, then remembered. Throws Failure (VAA_ERROR_IO) where a server cannot be reached (probe.cpp).
  const std::vector<Server>& servers(const vaa_task* task);
  // For vaa_asker_push and _next; made at the first of them.
  Session& session(const vaa_task* task);

 private:
  AskerOptions options_;
  std::vector<Server> servers_;
  std::unique_ptr<Session> session_;
};

// probe.cpp: what the server at `url` is and gives.
Server probe_server(const AskerOptions& options, const std::string& url, const vaa_task* task);

}  // namespace vaa
