// Questions in flight: each is sent, sent again where that is allowed, and answered by samples. The one place that ties transport, retries, rates and replies together.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "capture/dialect.h"
#include "capture/owned.h"
#include "capture/transport.h"

namespace vaa {

struct Question {
  int64_t place = 0;      // the caller's number, handed back
  size_t server = 0;      // index in the session's servers
  std::string path;       // "/v1/chat/completions"
  std::string body;       // JSON
};

struct SessionOptions {
  ConnectionOptions connection;
  double rate = 0;        // requests begun a second; 0: no limit
  int retries = 4;
  double max_retry_wait_s = 60;
};

struct Answer {
  Question question;
  std::vector<OwnedSample> samples;   // one a choice, at least one: a request that failed for good is a sample with its error. endpoint, rank, replica and times are set
  int tries = 0;
  bool failed = false;
};

class Session {
 public:
  Session(const SessionOptions& options, std::vector<Server> servers);
  ~Session();
  const std::vector<Server>& servers() const;
  // In flight or waiting to be sent again: keep it at `concurrency` by asking more.
  size_t busy() const;
  void ask(Question question);
  // Works until an answer is whole, or until `wait_s` is over: false then, and where nothing is in flight. Answers that a cancelled task cut off are not handed out. Throws Failure (VAA_ERROR_CANCELLED).
  bool next(Answer* answer, double wait_s, const vaa_task* task);
  int64_t tokens() const;             // that arrived so far, for the progress
  void recycle(Answer* answer);       // gives its samples back, so that the next answer allocates nothing

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vaa
