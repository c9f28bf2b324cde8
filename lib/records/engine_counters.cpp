#include "records/engine_counters.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/failure.h"
#include "base/json_writer.h"

namespace vaa {
namespace {

using Field = CounterField;

// vLLM-Ascend exports vLLM's names. A new name is a row.
constexpr CounterRow kRows[] = {
    {"vllm:spec_decode_num_drafts", Field::kDrafts},
    {"vllm:spec_decode_num_draft_tokens", Field::kDraftTokens},
    {"vllm:spec_decode_num_accepted_tokens", Field::kAcceptedTokens},
    {"vllm:spec_decode_num_accepted_tokens_per_pos", Field::kAcceptedAtPosition},
    {"vllm:prefix_cache_queries", Field::kCacheQueries},
    {"vllm:gpu_prefix_cache_queries", Field::kCacheQueries},
    {"vllm:prefix_cache_hits", Field::kCacheHits},
    {"vllm:gpu_prefix_cache_hits", Field::kCacheHits},
    {"vllm:num_preemptions", Field::kPreemptions},
    {"vllm:prompt_tokens", Field::kPromptTokens},
    {"vllm:generation_tokens", Field::kGenerationTokens},
    {"vllm:request_success", Field::kRequests},
    {"vllm:num_requests_running", Field::kRunning},
    {"vllm:num_requests_waiting", Field::kWaiting},
    {"sglang:spec_verify_calls", Field::kDrafts},
    {"sglang:prompt_tokens", Field::kCacheQueries},
    {"sglang:cached_tokens", Field::kCacheHits},
    {"sglang:num_retracted_requests", Field::kPreemptions},
    {"sglang:prompt_tokens", Field::kPromptTokens},
    {"sglang:generation_tokens", Field::kGenerationTokens},
    {"sglang:num_running_reqs", Field::kRunning},
    {"sglang:num_queue_reqs", Field::kWaiting},
    {"llamacpp:spec_decode_num_drafts", Field::kDrafts},
    {"llamacpp:spec_decode_num_draft_tokens", Field::kDraftTokens},
    {"llamacpp:spec_decode_num_accepted_tokens", Field::kAcceptedTokens},
    {"llamacpp:spec_decode_num_accepted_tokens_per_pos", Field::kAcceptedAtPosition},
    {"llamacpp:prompt_tokens_cached", Field::kCacheHits},
    {"llamacpp:prompt_tokens", Field::kPromptTokens},
    {"llamacpp:tokens_predicted", Field::kGenerationTokens},
    {"llamacpp:requests_processing", Field::kRunning},
    {"llamacpp:requests_deferred", Field::kWaiting},
};

// Labels by which engines on one page are told apart, and those of ranks that hold the same counts once more.
constexpr std::string_view kEngineLabels[] = {"engine", "dp_rank"};
constexpr std::string_view kCopyLabels[] = {"tp_rank", "pp_rank", "moe_ep_rank"};
constexpr int64_t kMaxPosition = 1024;

constexpr bool is_gauge(Field field) { return field == Field::kRunning || field == Field::kWaiting; }
std::string_view kind_of(size_t row) { return kRows[row].name.substr(0, kRows[row].name.find(':')); }

std::string_view plain_name(std::string_view name) {
  constexpr std::string_view kTotal = "_total";
  if (name.size() > kTotal.size() && name.substr(name.size() - kTotal.size()) == kTotal) name.remove_suffix(kTotal.size());
  return name;
}

bool read_position(std::string_view text, int64_t* out) {
  *out = 0;
  if (text.empty() || text.size() > 4) return false;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    *out = *out * 10 + (c - '0');
  }
  return *out < kMaxPosition;
}

}  // namespace

bool EngineCounters::read(Metric* metric, Reading* out) {
  const Field field = kRows[out->row].field;
  out->value = metric->value;
  out->position = 0;
  if (!std::isfinite(out->value) || out->value < 0) return false;
  if (field == Field::kAcceptedAtPosition && !read_position(metric->label("position"), &out->position)) return false;
  if (field == Field::kRequests) out->reason = metric->label("finished_reason");
  out->model = metric->label("model_name");
  for (const std::string_view label : kEngineLabels)
    if (out->engine.empty()) out->engine = metric->label(label);
  const auto begin = metric->labels.begin();
  std::sort(begin, begin + static_cast<ptrdiff_t>(metric->label_count), [](const auto& a, const auto& b) { return a.name < b.name; });
  out->key = std::to_string(out->row);
  for (size_t i = 0; i < metric->label_count; ++i) {
    out->key += '\0';
    out->key += metric->labels[i].name;
    out->key += '\0';
    out->key += metric->labels[i].value;
  }
  return true;
}

void EngineCounters::push(std::string_view page, double time_s) {
  if (!std::isfinite(time_s)) fail(VAA_ERROR_ARGUMENT, "time_s: is no number");
  if (scrapes_ > 0 && time_s < to_s_) fail(VAA_ERROR_ARGUMENT, "time_s: is before that of the page before it; pages are pushed in the order of time");
  PrometheusText text(page);
  Metric metric;
  std::vector<Reading> readings;
  int64_t metrics = 0, unusable = 0;
  for (; text.next(&metric); ++metrics) {
    const std::string_view name = plain_name(metric.name);
    const bool copy = std::any_of(std::begin(kCopyLabels), std::end(kCopyLabels), [&](std::string_view label) {
      const std::string_view rank = metric.label(label);
      return !rank.empty() && rank != "0";
    });
    bool good = true;
    for (size_t row = 0; row < std::size(kRows) && !copy; ++row) {
      if (kRows[row].name != name) continue;
      Reading reading{row, {}, {}, {}, {}, 0, 0};
      if (read(&metric, &reading)) readings.push_back(std::move(reading));
      else good = false;
    }
    unusable += !good;
  }
  if (metrics == 0) fail(VAA_ERROR_FORMAT, page.empty() ? "page: is empty" : "page: no line of it is a metric; it begins with " + quoted(page.substr(0, 200)));
  const auto fresh = std::count_if(readings.begin(), readings.end(), [&](const Reading& reading) { return series_.count(reading.key) == 0; });
  if (series_.size() + static_cast<size_t>(fresh) > kMaxSeries) fail(VAA_ERROR_CAPACITY, "page: more than " + std::to_string(kMaxSeries) + " series would have to be counted");
  if (scrapes_++ == 0) from_s_ = time_s;
  to_s_ = time_s;
  bad_lines_ += text.bad_lines() + unusable;
  for (const Reading& reading : readings) apply(reading);
}

size_t EngineCounters::engine_of(const Reading& reading) {
  std::string key(kind_of(reading.row));
  (key += '\0') += reading.engine;
  (key += '\0') += reading.model;
  const auto found = engine_index_.find(key);
  if (found != engine_index_.end()) return found->second;
  Engine engine;
  engine.kind = kind_of(reading.row);
  engine.name = reading.engine;
  engine.model = reading.model;
  engines_.push_back(std::move(engine));
  engine_index_.emplace(std::move(key), engines_.size() - 1);
  return engines_.size() - 1;
}

void EngineCounters::apply(const Reading& reading) {
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
  if (is_gauge(kRows[reading.row].field)) {
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
    const Field field = kRows[series.row].field;
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
