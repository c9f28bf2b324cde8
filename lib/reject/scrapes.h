// Scrapes of metrics pages as increases over time: one series an engine, segments apart where a counter went back.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reject/spec_counts.h"

namespace vaa {

// What was wrong with pages as a series; nothing of it is repaired in silence.
struct ScrapeOddities {
  int64_t pages = 0, bad_lines = 0;
  int64_t duplicates = 0;     // the same time and the same counts: taken once
  int64_t out_of_order = 0;   // came after a page with a later time: put into the order of time
  int64_t no_counters = 0;    // pages without a counter of speculation
  int64_t failed = 0;         // pages that are none: empty, HTML
};

class Scrapes {
 public:
  static constexpr size_t kMaxMoments = size_t{1} << 20;  // of engines, over all pages

  // One page of one server, scraped at time_s (NaN: not known; such pages are in the order in which they come). Linear in the page. Throws Failure and takes nothing of it: VAA_ERROR_FORMAT (no line is a
  // metric), VAA_ERROR_CAPACITY.
  void push(std::string_view server, std::string_view page, double time_s);
  void count_failed() { ++oddities_.failed; }
  std::vector<SpecSeries> series(ScrapeOddities* oddities) const;
  bool empty() const { return pages_ == 0; }

 private:
  struct Moment {             // what the counters of an engine stood at
    double time_s = 0;
    int64_t page = 0;         // of its server, in the order pushed
    SpecCounts counts;
  };
  struct Engine {
    std::string server, name, model, kind;
    std::vector<Moment> moments;
  };
  struct Server {
    int64_t pages = 0;
    std::vector<double> times;
  };
  SpecSeries series_of(const Engine& engine, const Server& server, int64_t* duplicates) const;

  std::vector<Engine> engines_;
  std::map<std::string, size_t, std::less<>> index_;
  std::map<std::string, Server, std::less<>> servers_;
  ScrapeOddities oddities_;
  size_t moments_ = 0;
  int64_t pages_ = 0;
};

}  // namespace vaa
