#include "quality/run/group_keys.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/figures.h"

namespace vaa {
namespace {

constexpr double kMinute = 60;

template <class Value>
GroupColumn each(const RunFeatures& run, Value value) {
  GroupColumn column;
  column.values.reserve(run.size());
  for (uint32_t i = 0; i < run.size(); ++i) column.values.push_back(value(i));
  return column;
}
int64_t recorded(uint16_t name) { return name == Interned::kNone ? GroupColumn::kUnknown : name; }

GroupColumn datasets(const RunFeatures& run) {
  return each(run, [&](uint32_t i) { return static_cast<int64_t>(run.sample(i).dataset); });
}
GroupColumn repeats(const RunFeatures& run) {
  return each(run, [&](uint32_t i) { return run.trace(i).is(KeptTrace::kRepeat) ? int64_t{run.sample(i).repeat} : GroupColumn::kUnknown; });
}
GroupColumn endpoints(const RunFeatures& run) {
  return each(run, [&](uint32_t i) { return recorded(run.trace(i).endpoint); });
}
GroupColumn replicas(const RunFeatures& run) {
  return each(run, [&](uint32_t i) { return recorded(run.trace(i).replica); });
}
GroupColumn ranks(const RunFeatures& run) {
  return each(run, [&](uint32_t i) { return recorded(run.trace(i).rank); });
}
GroupColumn cached(const RunFeatures& run) {
  return each(run, [&](uint32_t i) { return run.trace(i).is(KeptTrace::kCached) ? int64_t{1} : run.trace(i).is(KeptTrace::kNotCached) ? 0 : GroupColumn::kUnknown; });
}

template <bool kTokens>
GroupColumn prompt_sizes(const RunFeatures& run) {
  return each(run, [&](uint32_t i) { return run.trace(i).is(KeptTrace::kPromptInTokens) == kTokens && run.trace(i).prompt_size >= 0 ? doubling_bin(run.trace(i).prompt_size) : GroupColumn::kUnknown; });
}
template <int kModulus>
GroupColumn prompt_rest(const RunFeatures& run) {
  return each(run, [&](uint32_t i) { return run.trace(i).is(KeptTrace::kPromptInTokens) && run.trace(i).prompt_size >= 0 ? int64_t{run.trace(i).prompt_size % kModulus} : GroupColumn::kUnknown; });
}

// Minutes since the first sample began.
GroupColumn minutes(const RunFeatures& run) {
  double first = std::nan("");
  for (uint32_t i = 0; i < run.size(); ++i) first = std::fmin(first, run.trace(i).start);
  return each(run, [&](uint32_t i) {
    const double minute = std::floor((run.trace(i).start - first) / kMinute);
    return minute >= 0 && minute < 1e9 ? static_cast<int64_t>(minute) : GroupColumn::kUnknown;
  });
}

// Requests in flight when a sample began, itself among them.
GroupColumn in_flight(const RunFeatures& run) {
  std::vector<double> starts, ends;
  const auto timed = [&](uint32_t i) { return run.trace(i).start <= run.trace(i).end; };  // false for NaN
  for (uint32_t i = 0; i < run.size(); ++i) {
    if (!timed(i)) continue;
    starts.push_back(run.trace(i).start);
    ends.push_back(run.trace(i).end);
  }
  std::sort(starts.begin(), starts.end());
  std::sort(ends.begin(), ends.end());
  return each(run, [&](uint32_t i) {
    if (!timed(i)) return GroupColumn::kUnknown;
    const double at = run.trace(i).start;
    const auto begun = std::upper_bound(starts.begin(), starts.end(), at) - starts.begin(), ended = std::lower_bound(ends.begin(), ends.end(), at) - ends.begin();
    return doubling_bin(begun - ended);
  });
}

std::string show_number(const RunFeatures&, int64_t value) { return std::to_string(value); }
std::string show_bin(const RunFeatures&, int64_t value) { return bin_text(value); }
std::string show_name(const RunFeatures& run, int64_t value) { return run.trail().names().name(static_cast<uint16_t>(value)); }
std::string show_dataset(const RunFeatures& run, int64_t value) { return run.state().datasets[static_cast<size_t>(value)].name; }
std::string show_cached(const RunFeatures&, int64_t value) { return value ? "yes" : "no"; }

constexpr GroupKey kKeys[] = {
    {"dataset", {"are of dataset", "属于数据集"}, datasets, show_dataset},
    {"repeat", {"are of repeat", "属于重复序号"}, repeats, show_number},
    {"prompt_tokens", {"have prompts of so many tokens:", "的提示词词元数为"}, prompt_sizes<true>, show_bin},
    {"prompt_bytes", {"have prompts of so many bytes:", "的提示词字节数为"}, prompt_sizes<false>, show_bin},
    {"prompt_tokens_mod_16", {"have prompt tokens that modulo 16 are", "的提示词词元数除以 16 余"}, prompt_rest<16>, show_number},
    {"prompt_tokens_mod_64", {"have prompt tokens that modulo 64 are", "的提示词词元数除以 64 余"}, prompt_rest<64>, show_number},
    {"prompt_tokens_mod_128", {"have prompt tokens that modulo 128 are", "的提示词词元数除以 128 余"}, prompt_rest<128>, show_number},
    {"endpoint", {"are of endpoint", "来自端点"}, endpoints, show_name},
    {"replica", {"are of replica", "来自副本"}, replicas, show_name},
    {"rank", {"are of rank", "来自 rank"}, ranks, show_name},
    {"in_flight", {"began with so many requests in flight:", "开始时同时处理的请求数为"}, in_flight, show_bin},
    {"cached", {"had a part of the prompt cached:", "命中前缀缓存："}, cached, show_cached},
    {"minute", {"began in minute", "开始于第几分钟："}, minutes, show_number},
};

}  // namespace

std::span<const GroupKey> group_keys() { return kKeys; }

int64_t doubling_bin(int64_t n) { return std::bit_width(static_cast<uint64_t>(std::max<int64_t>(n, 0))); }

std::string bin_text(int64_t bin) {
  if (bin <= 1) return std::to_string(bin);
  return grouped(int64_t{1} << (bin - 1)) + "–" + grouped((int64_t{1} << bin) - 1);
}

}  // namespace vaa
