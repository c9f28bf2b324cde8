#include "records/counter_page.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "records/readers/prometheus.h"

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

bool is_copy(const Metric& metric) {
  return std::any_of(std::begin(kCopyLabels), std::end(kCopyLabels), [&](std::string_view label) {
    const std::string_view rank = metric.label(label);
    return !rank.empty() && rank != "0";
  });
}

bool read(Metric* metric, CounterReading* out) {
  const Field field = kRows[out->row].field;
  out->value = metric->value;
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

}  // namespace

std::span<const CounterRow> counter_rows() { return kRows; }
std::string_view counter_kind(size_t row) { return kRows[row].name.substr(0, kRows[row].name.find(':')); }

CounterPage read_counter_page(std::string_view page) {
  CounterPage out;
  PrometheusText text(page);
  Metric metric;
  for (; text.next(&metric); ++out.metrics) {
    const std::string_view name = plain_name(metric.name);
    const bool copy = is_copy(metric);
    bool good = true;
    for (size_t row = 0; row < std::size(kRows) && !copy; ++row) {
      if (kRows[row].name != name) continue;
      CounterReading reading;
      reading.row = row;
      if (read(&metric, &reading)) out.readings.push_back(std::move(reading));
      else good = false;
    }
    out.bad_lines += !good;
  }
  out.bad_lines += text.bad_lines();
  return out;
}

}  // namespace vaa
