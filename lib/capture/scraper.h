// The servers' /metrics before, during and after a run, on the thread of the run and without holding it up.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "capture/dialect.h"
#include "capture/owned.h"
#include "capture/transport.h"

namespace vaa::capture {

struct Scraped {
  int64_t pages = 0, failed = 0;
  std::string why;        // of the first that failed: "HTTP status 404"
  std::string counted;    // vaa.counters/1; "" : no page came
};

class Scraper {
 public:
  Scraper(const ConnectionOptions& options, const std::vector<Server>& servers, double every_s);
  ~Scraper();
  // A scrape of each server that has counters, waited for; 10 s at most. Throws Failure (VAA_ERROR_CANCELLED).
  void scrape(const vaa_task* task);
  // Goes on with scrapes that are under way, and begins those that are due. Returns at once.
  void poll(const vaa_task* task);
  bool under_way() const;  // poll soon
  std::vector<Scraped> result() const;  // by server

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vaa::capture
