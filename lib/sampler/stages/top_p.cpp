// The likeliest tokens of a mass of top_p. Where many tokens may stay, masses of buckets of nearly equal weights are added up first, so that only those at the boundary are sorted.
#include <algorithm>
#include <bit>
#include <numeric>

#include "sampler/stages/stage.h"

namespace vaa {
namespace {

constexpr size_t kFew = 2048;      // are sorted at once
constexpr size_t kBuckets = 4096;  // 64 for each factor of two below the largest weight; the last has the rest
constexpr int kBucketShift = 46;

// Goes over tokens from the likeliest on, until one does not stay.
struct Walk {
  const LogitRow& row;
  double p;
  PBoundary boundary;
  PTies ties;
  double before = 0;  // mass so far
  double weight = 0;  // of the last that stays, and its place
  uint32_t place = 0;

  // Rounded, an engine that sorts upwards drops while the running sum is at most 1 - p; one that sorts downwards takes each weight off the running sum that includes it.
  bool keeps(double mass_before, double w) const {
    if (weight == 0) return true;  // the likeliest
    const bool below = boundary == PBoundary::kBefore;
    if (row.rounding == Rounding::kExact) return below ? mass_before < p * row.total : mass_before <= p * row.total;
    if (ties == PTies::kHigherIds) {
      const double rest = row.round(row.total - mass_before), least = row.round(1 - p);
      return below ? rest > least : rest >= least;
    }
    const double held = row.round(row.round(mass_before + w) - w);
    return below ? held < p : held <= p;
  }
  bool comes_first(uint32_t a, uint32_t b) const {
    const double x = row.weights[a], y = row.weights[b];
    return x > y || (x == y && (ties == PTies::kHigherIds ? a > b : a < b));
  }
  bool stays(size_t i) const {
    const double w = row.weights[i];
    return w > weight || (w == weight && (ties == PTies::kAll || (ties == PTies::kHigherIds ? i >= place : i <= place)));
  }
  // False where one does not stay. Equals stand in one call.
  bool over(std::span<uint32_t> places) {
    std::sort(places.begin(), places.end(), [&](uint32_t a, uint32_t b) { return comes_first(a, b); });
    for (size_t i = 0; i < places.size();) {
      const double w = row.weights[places[i]];
      size_t next = i + 1;
      while (ties == PTies::kAll && next < places.size() && row.weights[places[next]] == w) ++next;
      if (!keeps(before, w)) return false;
      before += w * static_cast<double>(next - i);
      weight = w;
      place = places[next - 1];
      i = next;
    }
    return true;
  }
};

// The mass of the tokens of nearly equal weights.
class Buckets {
 public:
  Buckets(LogitRow* row, double most) : row_(*row), most_(std::bit_cast<uint64_t>(most)), masses_(row->reals) {
    if (masses_.size() < kBuckets) masses_.resize(kBuckets);
    std::fill_n(masses_.begin(), kBuckets, 0.0);
  }
  size_t of(size_t i) const { return std::min<uint64_t>((most_ - std::bit_cast<uint64_t>(row_.weights[i])) >> kBucketShift, kBuckets - 1); }
  void add(size_t i) { masses_[of(i)] += row_.weights[i]; }
  double mass(size_t bucket) const { return masses_[bucket]; }

 private:
  const LogitRow& row_;
  uint64_t most_;  // positive doubles are ordered as their bits
  std::vector<double>& masses_;
};

// Whole buckets while the mass up to their end would still be kept, then those at the boundary one by one.
void walk_buckets(std::span<const uint32_t> places, double most, LogitRow* row, Walk* walk) {
  Buckets buckets(row, most);
  for (const uint32_t i : places) buckets.add(i);
  size_t bucket = 0;
  const auto whole = [&] { return buckets.mass(bucket) == 0 || walk->keeps(walk->before + buckets.mass(bucket), 0); };
  walk->weight = most;  // the likeliest stays in any case
  while (bucket + 1 < kBuckets && whole()) walk->before += buckets.mass(bucket++);
  // The least weight that a bucket which was taken may hold stands for its last token: nothing behind it ties with it.
  walk->weight = bucket == 0 ? 0 : std::bit_cast<double>(std::bit_cast<uint64_t>(most) - ((static_cast<uint64_t>(bucket) << kBucketShift) - 1));
  walk->place = walk->ties == PTies::kHigherIds ? 0 : UINT32_MAX;
  std::vector<uint32_t>& open = row->open;
  for (bool more = true; more && bucket < kBuckets; ++bucket) {
    if (buckets.mass(bucket) == 0) continue;
    open.clear();
    for (const uint32_t i : places)
      if (buckets.of(i) == bucket) open.push_back(i);
    more = walk->over(open);
  }
}

}  // namespace

void apply_top_p(const StageInput& input, LogitRow* row) {
  const double p = row->round(input.params[Param::kTopP]);
  if (p >= 1) return;
  for (const Rule rule : {Rule::kTopPBoundary, Rule::kTopPTies})
    if (input.engine.rule<uint8_t>(rule) == kUnknownRule) fail_unknown(input.engine, rule, row->where() + "top_p is on");
  row->weigh();
  const auto end = row->weights.begin() + static_cast<ptrdiff_t>(row->size);
  const double most = *std::max_element(row->weights.begin(), end);
  // Tokens that all together have less than half of what is to be dropped.
  const double sum = row->cut ? std::accumulate(row->weights.begin(), end, 0.0) : row->total;
  const double dropped = row->rounding == Rounding::kExact ? 0.5 * (sum - p * row->total) / static_cast<double>(row->size) : 0;
  row->places.resize(std::max(row->places.size(), row->size));
  size_t many = 0;
  for (size_t i = 0; i < row->size; ++i) {
    row->places[many] = static_cast<uint32_t>(i);
    many += row->weights[i] >= dropped;
  }
  Walk walk{*row, p, input.engine.rule<PBoundary>(Rule::kTopPBoundary), input.engine.rule<PTies>(Rule::kTopPTies)};
  const std::span<uint32_t> places(row->places.data(), many);
  // What is taken off a rounded running sum does not fall evenly: such rows are sorted whole.
  const bool even = row->rounding == Rounding::kExact || walk.ties == PTies::kHigherIds;
  if (many <= kFew || !even) walk.over(places);
  else walk_buckets(places, most, row, &walk);
  row->keep_if([&](size_t i) { return walk.stays(i); });
}

}  // namespace vaa
