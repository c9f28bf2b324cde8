// Questions in flight: each is sent, sent again where that is allowed, and answered by samples. The one place that ties transport, retries, rates and replies together.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "capture/dialect.h"
#include "capture/owned.h"
#include "capture/transport.h"

namespace vaa::capture {

struct Question {
  int64_t place = 0;      // the caller's number, handed back
  size_t server = 0;      // index in the session's servers
  std::string path;       // "/v1/chat/completions"
  std::string body;       // JSON
};

struct SessionOptions {
  ConnectionOptions connection;   // its concurrency: requests in flight at once
  double rate = 0;        // requests begun a second; 0: no limit
  int retries = 4;
  double max_retry_wait_s = 60;
};

struct Answer {
  Question question;
  std::vector<OwnedSample> samples;   // one a choice, at least one: a request that failed for good is a sample with its error. endpoint, rank, replica and times are set
  int tries = 0;          // times that it was sent
  bool failed = false;    // the first sample has an error
  std::string unread;     // the first part of it that could not be read, and is missing in the samples: "line 3: token_ids: …"; "" : none
  int64_t tokens = 0;     // that arrived, over all choices
  HttpEnd end;            // of the last try
};

class Session {
 public:
  // Throws what Transport throws.
  Session(const SessionOptions& options, std::vector<Server> servers);
  ~Session();
  const std::vector<Server>& servers() const;
  // Questions that are not answered yet: in flight, or waiting for their turn or for another try. More may be asked than fly at once; the others wait.
  size_t busy() const;
  void ask(Question question);
  // Works until an answer is whole, or until `wait_s` is over: false then, and where nothing is left to be answered. A cancelled task drops what is not answered: whole answers are still handed
  // out, then VAA_ERROR_CANCELLED is thrown, once.
  bool next(Answer* answer, double wait_s, const vaa_task* task);
  int64_t tokens() const;             // that arrived so far, for the progress. Cost: those in flight
  void recycle(Answer* answer);       // gives its samples back, so that the next answer allocates nothing

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vaa::capture
