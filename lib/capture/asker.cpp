#include "capture/asker.h"

namespace vaa::capture {

const std::vector<Server>& Asker::servers(const vaa_task* task) {
  if (servers_.empty()) {
    std::vector<Server> found;
    for (const std::string& url : options_.urls) found.push_back(probe_server(options_, url, task));
    servers_ = std::move(found);
  }
  return servers_;
}

Session& Asker::session(const vaa_task* task) {
  if (!session_) session_ = std::make_unique<Session>(options_.session, servers(task));
  return *session_;
}

}  // namespace vaa::capture
