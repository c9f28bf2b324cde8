#include "records/engine_counters.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/failure.h"
#include "base/json_writer.h"

namespace vaa {

using Field = CounterField;

void EngineCounters::push(std::string_view page, double time_s) {
  if (!std::isfinite(time_s)) fail(VAA_ERROR_ARGUMENT, "time_s: is no number");
  if (scrapes_ > 0 && time_s < to_s_) fail(VAA_ERROR_ARGUMENT, "time_s: is before that of the page before it; pages are pushed in the order of time");
  const CounterPage counted = read_counter_page(page);
  const std::vector<CounterReading>& readings = counted.readings;
  if (counted.metrics == 0) fail(VAA_ERROR_FORMAT, page.empty() ? "page: is empty" : "page: no line of it is a metric; it begins with " + quoted(page.substr(0, 200)));
  const auto fresh = std::count_if(readings.begin(), readings.end(), [&](const CounterReading& reading) { return series_.count(reading.key) == 0; });
  if (series_.size() + static_cast<size_t>(fresh) > kMaxSeries) fail(VAA_ERROR_CAPACITY, "page: more than " + std::to_string(kMaxSeries) + " series would have to be counted");
  if (scrapes_++ == 0) from_s_ = time_s;
  to_s_ = time_s;
  bad_lines_ += counted.bad_lines;
  for (const CounterReading& reading : readings) apply(reading);
}

size_t EngineCounters::engine_of(const CounterReading& reading) {
  std::string key(counter_kind(reading.row));
  (key += '\0') += reading.engine;
  (key += '\0') += reading.model;
  const auto found = engine_index_.find(key);
  if (found != engine_index_.end()) return found->second;
  Engine engine;
  engine.kind = counter_kind(reading.row);
  engine.name = reading.engine;
  engine.model = reading.model;
  engines_.push_back(std::move(engine));
  engine_index_.emplace(std::move(key), engines_.size() - 1);
  return engines_.size() - 1;
}

void EngineCounters::apply(const CounterReading& reading) {
  auto found = series_.find(reading.key);
  if (found == series_.end()) {
    Series series;
    series.engine = engine_of(reading);
    series.row = reading.row;
    series.position = reading.position;
    series.reason = reading.reason;
    // A series that comes later began at 0; of the first page nothing is known but where it stands.
    series.last = scrapes_ > 1 ? 0 : reading.value;
    found = series_.emplace(reading.key, std::move(series)).first;
  }
  Series& series = found->second;
  if (series.scrape == scrapes_) {  // the same series twice on a page
    ++bad_lines_;
    return;
  }
  series.scrape = scrapes_;
  if (is_gauge(counter_rows()[reading.row].field)) {
    series.increase = std::max(series.increase, reading.value);
    return;
  }
  Engine& engine = engines_[series.engine];
  const bool restart = reading.value < series.last;
  if (restart && engine.restarted_at != scrapes_) {
    ++engine.restarts;
    engine.restarted_at = scrapes_;
  }
  series.increase += restart ? reading.value : reading.value - series.last;
  series.last = reading.value;
}

// One engine of the report, from the first of the rows of each field that it exposes.
class CountedEngine {
 public:
  explicit CountedEngine(bool known) : known_(known) {}

  void take(const EngineCounters::Series& series) {
    const Field field = counter_rows()[series.row].field;
    Taken& taken = taken_[field];
    if (taken.members.empty()) taken.row = series.row;
    if (series.row != taken.row) return;
    // Positions sort as numbers.
    double& member = taken.members[{series.position, series.reason}];
    member = is_gauge(field) ? std::max(member, series.increase) : member + series.increase;
  }

  void write(const EngineCounters::Engine& engine, JsonWriter* json) const {
    json->begin_object().key("engine");
    name(json, engine.name);
    json->key("model");
    name(json, engine.model);
    json->member("kind", engine.kind).member("restarts", engine.restarts).key("spec").begin_object();
    number(json, "drafts", Field::kDrafts);
    number(json, "draft_tokens", Field::kDraftTokens);
    number(json, "accepted_tokens", Field::kAcceptedTokens);
    positions(json);
    json->end_object().key("prefix_cache").begin_object();
    number(json, "queries", Field::kCacheQueries);
    number(json, "hits", Field::kCacheHits);
    json->end_object();
    number(json, "preemptions", Field::kPreemptions);
    requests(json);
    number(json, "prompt_tokens", Field::kPromptTokens);
    number(json, "generation_tokens", Field::kGenerationTokens);
    number(json, "running_max", Field::kRunning);
    number(json, "waiting_max", Field::kWaiting);
    json->end_object();
  }

 private:
  struct Taken {
    size_t row = 0;
    std::map<std::pair<int64_t, std::string>, double> members;  // by position, or by reason
  };

  static void name(JsonWriter* json, const std::string& text) { text.empty() ? json->null() : json->string(text); }
  // Null where the field is not exposed, or one scrape alone tells no increase.
  const Taken* find(Field field) const {
    const auto found = taken_.find(field);
    return found == taken_.end() || !(known_ || is_gauge(field)) ? nullptr : &found->second;
  }
  void number(JsonWriter* json, std::string_view key, Field field) const {
    json->key(key);
    const Taken* taken = find(field);
    taken ? json->real(taken->members.begin()->second) : json->null();
  }
  void positions(JsonWriter* json) const {
    json->key("accepted_per_position");
    const Taken* taken = find(Field::kAcceptedAtPosition);
    if (!taken) {
      json->null();
      return;
    }
    json->begin_array();
    for (int64_t i = 0; i <= taken->members.rbegin()->first.first; ++i) {
      const auto member = taken->members.find({i, std::string()});
      member == taken->members.end() ? json->null() : json->real(member->second);
    }
    json->end_array();
  }
  void requests(JsonWriter* json) const {
    json->key("requests");
    const Taken* taken = find(Field::kRequests);
    if (!taken) {
      json->null();
      return;
    }
    json->begin_object();
    for (const auto& [member, value] : taken->members) json->member(member.second, value);
    json->end_object();
  }

  bool known_;
  std::map<Field, Taken> taken_;
};

std::string EngineCounters::json() const {
  std::vector<CountedEngine> counted(engines_.size(), CountedEngine(scrapes_ > 1));
  std::vector<const Series*> by_row;
  for (const auto& [key, series] : series_) by_row.push_back(&series);
  std::stable_sort(by_row.begin(), by_row.end(), [](const Series* a, const Series* b) { return a->row < b->row; });
  for (const Series* series : by_row) counted[series->engine].take(*series);
  std::string text;
  JsonWriter json(&text);
  json.begin_object().member("schema", "vaa.counters/1").member("scrapes", scrapes_).key("from_s");
  scrapes_ > 0 ? json.real(from_s_) : json.null();
  json.key("to_s");
  scrapes_ > 0 ? json.real(to_s_) : json.null();
  json.member("bad_lines", bad_lines_).key("engines").begin_array();
  for (size_t i = 0; i < engines_.size(); ++i) counted[i].write(engines_[i], &json);
  json.end_array().end_object();
  return text;
}

}  // namespace vaa
