// Asks rungs of servers, keeps every answer in the log as it arrives, and remembers what was said.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "capture/asker.h"
#include "capture/record_log.h"
#include "capture/rungs.h"
#include "capture/swing.h"

namespace vaa::capture {

struct Rung {
  size_t passage = 0;
  int64_t at = 0;
  size_t server = 0;
  int64_t repeat = 0;
  auto operator<=>(const Rung&) const = default;
};

class RungAsker {
 public:
  // Opens `out_path` and writes its header: `command` ("ladder"), `run`, the servers. A resumed file's answers are said at once when they are asked for. Throws Failure.
  RungAsker(Asker* asker, const std::vector<Passage>* passages, std::string command, std::string run, std::string out_path, Existing existing, int64_t tokens, vaa_task* task);
  // Progress counts questions; `more` are to come, as far as that is known.
  void expect(int64_t more);
  // All that were not asked yet, `concurrency` at once. Throws Failure (VAA_ERROR_CANCELLED): what arrived stays in the log.
  void ask(std::span<const Rung> rungs, int concurrency);
  // After ask(): what came, also where it is an error.
  const Continuation& said(const Rung& rung) const;
  // Frees what a rung said where it is not needed any more.
  void forget(const Rung& rung);

  int64_t answered() const { return answered_; }
  int64_t failed() const { return failed_; }
  int64_t resumed() const { return resumed_; }
  const std::vector<std::string>& failures() const { return failures_; }  // the first messages, once each
  std::vector<Both> notes() const;                                        // what the servers cannot be asked for, and what their prefix caches did
  const std::vector<Server>& servers() const { return servers_; }

 private:
  struct Prepared {
    std::string body, key;
  };
  void write_header(const std::string& command, const std::string& run);
  Prepared prepared(const Rung& rung);
  void send(const Rung& rung, Prepared prepared, std::vector<std::pair<Rung, std::string>>* sent);
  void arrived(const Rung& rung, const std::string& key, Answer* answer);
  void label(const Rung& rung, const std::string& key, vaa_sample* sample) const;
  void remember(const Rung& rung, Continuation said);
  void progress() const;

  const std::vector<Server>& servers_;
  const std::vector<Passage>& passages_;
  int64_t tokens_;
  vaa_task* task_;
  RecordLog log_;
  Session session_;
  int most_;                                   // in flight
  std::map<std::string, Continuation> stored_; // of a resumed file, by key
  std::map<Rung, Continuation> said_;
  std::vector<std::string> failures_;
  std::vector<Both> notes_;
  int64_t answered_ = 0, failed_ = 0, resumed_ = 0, expected_ = 0;
  int64_t cache_told_ = 0, cached_ = 0;        // answers that say how many prompt tokens were cached, and where some were
};

}  // namespace vaa::capture
