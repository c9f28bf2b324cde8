// The requests of vaa_asker_push and the samples of vaa_asker_next.
#pragma once
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "capture/asker.h"
#include "capture/request.h"

namespace vaa::capture {

class PushQueue {
 public:
  // Throws Failure (VAA_ERROR_FORMAT). Nothing is sent yet: what the server is may not be known.
  void push(std::string_view line);
  // The next sample that arrives into *sample; false where nothing is left. A cancelled task drops what is not answered, and throws Failure (VAA_ERROR_CANCELLED).
  bool next(Asker* asker, vaa_task* task, vaa_sample* sample);

 private:
  void send(Asker* asker, const vaa_task* task);
  std::deque<Request> pushed_;
  std::unordered_map<int64_t, std::string> ids_;  // of those that were sent, by place
  std::deque<OwnedSample> arrived_;
  int64_t place_ = 0;
};

}  // namespace vaa::capture
