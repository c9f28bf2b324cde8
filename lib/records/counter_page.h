// What a metrics page says of the counters that vaa knows: one reading a series, by the names of one table.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
std::span<const CounterRow> counter_rows();
constexpr bool is_gauge(CounterField field) { return field == CounterField::kRunning || field == CounterField::kWaiting; }
std::string_view counter_kind(size_t row);  // what stands before the colon of its name

struct CounterReading {
  size_t row = 0;              // of counter_rows()
  std::string engine, model;   // "" : the page does not say
  std::string reason;          // of kRequests
  std::string key;             // tells this series from every other one: row and labels
  int64_t position = 0;        // of kAcceptedAtPosition
  double value = 0;            // finite, at least 0
};

struct CounterPage {
  std::vector<CounterReading> readings;  // in the page's order
  int64_t metrics = 0;     // lines that are one, counted here or not
  int64_t bad_lines = 0;   // no metric, or a counter whose value or position cannot be
};
// Ranks that count the same once more (tp_rank, pp_rank above 0) are passed over. Linear in the page.
CounterPage read_counter_page(std::string_view page);

}  // namespace vaa
