#include "quality/lengths.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vaa {
namespace {

size_t bits_of(int64_t length) {
  size_t bits = 0;
  for (; length > 0; length >>= 1) ++bits;
  return bits;
}

int64_t at_rank(const std::vector<int32_t>& sorted, double share) {
  const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::max<size_t>(rank, 1) - 1];
}

LengthStats stats_of(const KeptSamples& kept, int32_t KeptSample::*length) {
  std::vector<int32_t> sorted;
  for (size_t i = 0; i < kept.size(); ++i) {
    const KeptSample& s = kept[i];
    if (s.is(KeptSample::kOutput) && s.*length >= 0) sorted.push_back(s.*length);
  }
  LengthStats out;
  out.n = static_cast<int64_t>(sorted.size());
  if (sorted.empty()) return out;
  std::sort(sorted.begin(), sorted.end());
  out.shortest = sorted.front();
  out.p50 = at_rank(sorted, 0.5);
  out.p90 = at_rank(sorted, 0.9);
  out.p99 = at_rank(sorted, 0.99);
  out.longest = sorted.back();
  out.mean = static_cast<double>(std::accumulate(sorted.begin(), sorted.end(), int64_t{0})) / static_cast<double>(sorted.size());
  out.buckets.resize(bits_of(out.longest) + 1);
  for (const int32_t l : sorted) out.buckets[bits_of(l)] += 1;
  return out;
}

int64_t bucket_from(size_t bits) { return bits == 0 ? 0 : int64_t{1} << (bits - 1); }
int64_t bucket_to(size_t bits) { return bits == 0 ? 0 : (int64_t{1} << bits) - 1; }

void append_stats(JsonWriter* json, const char* key, const LengthStats& stats) {
  json->key(key);
  if (stats.n == 0) {
    json->null();
    return;
  }
  json->begin_object().member("n", stats.n).member("shortest", stats.shortest).member("p50", stats.p50).member("p90", stats.p90);
  json->member("p99", stats.p99).member("longest", stats.longest).member("mean", stats.mean);
  json->key("histogram").begin_array();
  for (size_t i = 0; i < stats.buckets.size(); ++i) {
    json->begin_object().member("from", bucket_from(i)).member("to", bucket_to(i)).member("count", stats.buckets[i]).end_object();
  }
  json->end_array().end_object();
}

}  // namespace

Lengths length_stats(const Tally::State& state) { return {stats_of(state.kept, &KeptSample::tokens), stats_of(state.kept, &KeptSample::chars)}; }

void append_lengths(JsonWriter* json, const Lengths& lengths, const Tally::State& state) {
  json->key("lengths").begin_object().member("unit", lengths.in_tokens() ? "tokens" : "characters");
  append_stats(json, "tokens", lengths.tokens);
  append_stats(json, "characters", lengths.characters);
  json->key("limit").begin_object().member("known", state.limit_known).member("reached", state.at_limit);
  json->member("share", state.limit_known ? static_cast<double>(state.at_limit) / static_cast<double>(state.limit_known) : std::nan("")).end_object();
  json->key("loops").begin_object().member("length", state.wasted).member("output_bytes", state.output_bytes).end_object();
  json->end_object();
}

Table length_table(const Lengths& lengths) {
  Table table{"lengths", {{"from", {}}, {"to", {}}, {"tokens", {}}, {"characters", {}}}};
  const auto count = [](const LengthStats& stats, size_t i) { return static_cast<double>(i < stats.buckets.size() ? stats.buckets[i] : 0); };
  for (size_t i = 0; i < std::max(lengths.tokens.buckets.size(), lengths.characters.buckets.size()); ++i) {
    table.columns[0].values.push_back(static_cast<double>(bucket_from(i)));
    table.columns[1].values.push_back(static_cast<double>(bucket_to(i)));
    table.columns[2].values.push_back(count(lengths.tokens, i));
    table.columns[3].values.push_back(count(lengths.characters, i));
  }
  return table;
}

}  // namespace vaa
