// The questions of an input put to each server, and their answers kept as they arrive.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/ask_options.h"
#include "capture/ask_tally.h"
#include "capture/asker.h"
#include "capture/scraper.h"

namespace vaa::capture {

// What a run is of, and what came of it.
struct AskSeen {
  std::string input, out_path;
  AskOptions options;
  int concurrency = 0;
  int64_t total = -1;            // questions, over all servers; -1: not known
  int64_t skipped = 0;           // lines that were no requests, samples without a prompt, requests that the purpose refuses
  int64_t taken_out = 0;         // failed answers of a resumed file, asked again
  std::vector<std::string> problems;
  std::vector<Both> notes;
  AskTally tally;
  std::vector<Scraped> scraped;  // by server
  double start_s = 0, end_s = 0;
};

class AskRun {
 public:
  // Throws Failure.
  AskRun(const AskerOptions& asker, const std::vector<Server>& servers, RequestSource* source, RecordLog* log, AskSeen* seen, vaa_task* task);
  // Throws Failure; what arrived is in the log then.
  void work();

 private:
  struct Asked {
    Request request;
    std::string body, key, hash;
    int64_t choices = 1;
    int pass = 0;                // of purpose.times
    uint64_t first_text = 0;     // hash of the first pass's text
  };
  bool prepare_next();
  void fill();
  void put(Asked asked, size_t server);
  void arrived(Answer* answer);
  void label(const Asked& asked, Answer* answer) const;
  void ask_once_more(Asked asked, size_t server, const Answer& answer);
  void progress(bool now);

  const std::vector<Server>& servers_;
  RequestSource* source_;
  RecordLog* log_;
  AskSeen* seen_;
  vaa_task* task_;
  Session session_;
  Scraper scraper_;
  Request request_;              // the one that is put to each server
  size_t next_server_ = 0;       // which of them is next; all: the next request
  std::unordered_map<int64_t, Asked> in_flight_;
  int64_t place_ = 0;
  double progress_s_ = 0;
};

}  // namespace vaa::capture
