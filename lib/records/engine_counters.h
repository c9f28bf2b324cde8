// What engines counted between scrapes of their metrics pages (include/vaa/metrics.h): increases by engine, over restarts, from the names of one table.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "records/counter_page.h"

namespace vaa {

class EngineCounters {
 public:
  static constexpr size_t kMaxSeries = 65536;  // of names in the table, over all pages

  // A page, scraped at time_s. Linear in the page. Throws Failure and takes nothing of it: VAA_ERROR_ARGUMENT (time that is none or goes back), VAA_ERROR_FORMAT (no line is a
  // metric), VAA_ERROR_CAPACITY (over kMaxSeries).
  void push(std::string_view page, double time_s);
  std::string json() const;  // vaa.counters/1

 private:
  struct Engine {
    std::string_view kind;
    std::string name, model;
    int64_t restarts = 0;
    int64_t restarted_at = 0;  // the scrape of the last
  };
  struct Series {
    size_t engine = 0, row = 0;
    int64_t position = 0;
    std::string reason;
    double last = 0, increase = 0;    // of a gauge: the highest
    int64_t scrape = 0;               // in which it was last seen
  };

  void apply(const CounterReading& reading);
  size_t engine_of(const CounterReading& reading);

  friend class CountedEngine;
  std::vector<Engine> engines_;  // in the order in which they were first seen
  std::map<std::string, size_t, std::less<>> engine_index_;
  std::map<std::string, Series, std::less<>> series_;
  int64_t scrapes_ = 0, bad_lines_ = 0;
  double from_s_ = 0, to_s_ = 0;
};

}  // namespace vaa
