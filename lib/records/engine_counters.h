// What engines counted between scrapes of their metrics pages (include/vaa/metrics.h): increases by engine, over restarts, from the names of one table.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "records/readers/prometheus.h"

namespace vaa {

enum class CounterField : uint8_t {
  kDrafts, kDraftTokens, kAcceptedTokens, kAcceptedAtPosition,  // the last by label `position`
  kCacheQueries, kCacheHits, kPreemptions, kPromptTokens, kGenerationTokens,
  kRequests,          // by label `finished_reason`
  kRunning, kWaiting, // gauges: the highest that was seen
};

// One name of a metric and what it counts. Where an engine has several names of one field on a page, the first row of them is taken.
struct CounterRow {
  std::string_view name;  // without _total
  CounterField field;
};

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
  struct Reading {
    size_t row;
    std::string engine, model, reason, key;
    int64_t position;
    double value;
  };

  static bool read(Metric* metric, Reading* out);
  void apply(const Reading& reading);
  size_t engine_of(const Reading& reading);

  friend class CountedEngine;
  std::vector<Engine> engines_;  // in the order in which they were first seen
  std::map<std::string, size_t, std::less<>> engine_index_;
  std::map<std::string, Series, std::less<>> series_;
  int64_t scrapes_ = 0, bad_lines_ = 0;
  double from_s_ = 0, to_s_ = 0;
};

}  // namespace vaa
