#include "compare/position_drift.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/math.h"
#include "compare/drift.h"
#include "compare/swing_rule.h"
#include "stats/distributions.h"
#include "stats/multiplicity.h"
#include "stats/tails.h"

namespace vaa {
namespace {

constexpr double kFewExpected = 5;  // below it Poisson's tail stands for the normal one

PositionScale scale_of(const TokenEvidence& evidence, const NoiseProfile* noise) {
  if (calibrates(noise) && noise->sigma.sigma > 0 && std::isfinite(noise->sigma.sigma) && std::isfinite(noise->sigma.error)) return {noise->sigma.sigma, noise->sigma.error, true};
  GapCounts all;
  int64_t flips = 0;
  for (const PositionBucket& bucket : position_sums(evidence, std::nan("")).buckets) {
    all.merge(bucket.gaps);
    flips += bucket.total().flips;
  }
  const double seen = static_cast<double>(flips) + 0.5, sigma = all.sigma_for(seen);
  if (!(sigma > 0) || !std::isfinite(sigma)) return {};
  return {sigma, std::sqrt(seen) / all.at(sigma).slope, false};
}

// Of the flips of questions around their common rate.
double design_of(const PositionBucket& bucket, const PositionCell& sum) {
  const auto n = static_cast<double>(bucket.cells.size());
  if (n < 2 || !(sum.variance > 0) || sum.flips == 0) return 1;
  const double rate = static_cast<double>(sum.flips) / sum.expected;
  double squares = 0;
  for (const PositionCell& cell : bucket.cells) {
    const double rest = static_cast<double>(cell.flips) - cell.expected * rate;
    squares += rest * rest;
  }
  return std::max(1.0, n / (n - 1) * squares / (sum.variance * std::max(1.0, rate)));
}

// What bucket b is held against: the buckets before it, of the first one those after it.
struct Rest {
  std::vector<size_t> of;
  GapCounts gaps;
  PositionCell sum;
  double design = 1;
};
Rest rest_of(const PositionSums& sums, const std::vector<BucketCall>& calls, size_t at) {
  Rest rest;
  for (size_t i = 0; i < calls.size(); ++i) {
    if (at == 0 ? i == 0 : i >= at) continue;
    rest.of.push_back(calls[i].bucket);
    rest.gaps.merge(sums.buckets[calls[i].bucket].gaps);
    rest.sum.flips += calls[i].sum.flips;
    rest.sum.lists += calls[i].sum.lists;
    rest.design = std::max(rest.design, calls[i].design);
  }
  return rest;
}

// Questions as elements: (the rest, the bucket).
std::pair<std::vector<ClusterSum>, std::vector<ClusterSum>> sizes_of(const PositionSums& sums, const Rest& rest, size_t bucket) {
  std::vector<std::pair<int32_t, std::pair<bool, const PositionCell*>>> cells;
  for (const size_t b : rest.of) {
    for (const PositionCell& cell : sums.buckets[b].cells) cells.push_back({cell.question, {false, &cell}});
  }
  for (const PositionCell& cell : sums.buckets[bucket].cells) cells.push_back({cell.question, {true, &cell}});
  std::stable_sort(cells.begin(), cells.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::pair<std::vector<ClusterSum>, std::vector<ClusterSum>> out;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i == 0 || cells[i].first != cells[i - 1].first) out.first.push_back({}), out.second.push_back({});
    const auto& [second, cell] = cells[i].second;
    ClusterSum& into = second ? out.second.back() : out.first.back();
    into.n += static_cast<double>(cell->sized);
    into.sum += cell->size;
  }
  return out;
}

// How much more the reference's own logprobs change there than before, where it was held against itself: no less than 1.
double own_growth(const NoiseProfile* noise, const Rest& rest, size_t bucket) {
  if (!drift_calibrates(noise)) return 1;
  DriftCluster before;
  for (const size_t b : rest.of) before.n += noise->by_position[b].n, before.absolute += noise->by_position[b].absolute;
  const DriftCluster& there = noise->by_position[bucket];
  if (before.n < kLeastTokens || there.n < kLeastTokens || before.absolute <= 0) return 1;
  return std::max(1.0, there.absolute / static_cast<double>(there.n) / (before.absolute / static_cast<double>(before.n)));
}

struct ByFlips {
  Effect ratio;
  double p_beyond = 1;
  bool enough = false;  // flips that are there, or that the margin leads one to expect
};
// The sigma that the flips of the rest show, or the reference's own where that is larger, is what the flips of the bucket are held against.
ByFlips by_flips(const PositionScale& scale, const Rest& rest, const GapCounts& gaps, const BucketCall& call, double margin) {
  const double seen = static_cast<double>(rest.sum.flips) + 0.5;
  double base = rest.gaps.sigma_for(seen), error = std::numeric_limits<double>::infinity();
  if (base > 0 && std::isfinite(base)) error = std::sqrt(seen * rest.design) / rest.gaps.at(base).slope;
  if (scale.self && !(base > scale.sigma && error < 1)) base = scale.sigma, error = scale.log_error;
  ByFlips out;
  if (!(base > 0) || !std::isfinite(base) || !(error < 1)) return out;
  const GapCounts::Expected most = gaps.at(base * margin);
  out.enough = std::max(most.flips, static_cast<double>(call.sum.flips)) >= kFewExpected;
  const double spread = most.slope * error;
  out.p_beyond = count_tail(call.sum.flips, most.flips, spread * spread + (call.design - 1) * most.flips);
  const double own = static_cast<double>(call.sum.flips) + 0.5, sigma = gaps.sigma_for(own);
  if (!(sigma > 0) || !std::isfinite(sigma)) return out;
  const double value = math::log(sigma / base), own_error = std::sqrt(own * call.design) / gaps.at(sigma).slope, both = std::hypot(own_error, error);
  out.ratio.n = call.questions;
  out.ratio.value = value;
  out.ratio.error = both;
  out.ratio.p = stats::normal_two_sided(value / both);
  out.ratio.at = [=](double confidence) {
    const double half = -stats::normal_quantile((1 - confidence) / 2) * both;
    return stats::Interval{value - half, value + half};
  };
  finish_effect(&out.ratio);
  return out;
}

void call_bucket(const PositionSums& sums, const PositionDrift& drift, const NoiseProfile* noise, double margin, size_t at, std::vector<BucketCall>* calls) {
  BucketCall& call = (*calls)[at];
  if (calls->size() < 2 || call.questions < kLeastCalled) return;
  const Rest rest = rest_of(sums, *calls, at);
  const auto [before, there] = sizes_of(sums, rest, call.bucket);
  const double most = margin * own_growth(noise, rest, call.bucket);
  const Effect size = paired_ratio(before, there);
  const auto with = [](const std::vector<ClusterSum>& s) { return std::count_if(s.begin(), s.end(), [](const ClusterSum& c) { return c.n > 0; }); };
  const auto tokens = [](const std::vector<ClusterSum>& s) { return std::accumulate(s.begin(), s.end(), 0.0, [](double n, const ClusterSum& c) { return n + c.n; }); };
  call.by_size = size.known() && std::min(with(before), with(there)) >= kLeastCalled && std::min(tokens(before), tokens(there)) >= static_cast<double>(kLeastTokens);
  const ByFlips flips = by_flips(drift.scale, rest, sums.buckets[call.bucket].gaps, call, most);
  // Changes of so few tokens say nothing, and their flips less.
  if (!call.by_size && (call.sum.sized > 0 || call.sum.n < kLeastTokens || !flips.enough)) return;
  call.ratio = call.by_size ? size : flips.ratio;
  if (!call.ratio.known()) return;
  call.p_beyond = call.by_size ? std::min(1.0, 2 * std::min(p_above(size, math::log(most)), flips.p_beyond)) : flips.p_beyond;
}

}  // namespace

double count_tail(int64_t observed, double mean, double variance_of_mean) {
  if (observed <= 0) return 1;
  if (!(mean > 0)) return 0;
  const double shape = mean * mean / variance_of_mean;
  if (!(shape < 1e9)) return stats::poisson_at_least(observed, mean);
  if (shape < 0.5) return 1;
  const auto k = static_cast<double>(observed);
  const double x = mean / (mean + shape);
  return stats::beta_tails(k, shape, x, shape / (mean + shape), stats::beta_deviation(k, shape, x)).lower;
}

PositionDrift position_drift(const TokenEvidence& evidence, const NoiseProfile* noise, double margin) {
  PositionDrift out;
  out.scale = scale_of(evidence, noise);
  const PositionSums sums = position_sums(evidence, out.scale.sigma);
  out.lowest = sums.lowest;
  out.highest = sums.highest;
  out.pairs = sums.pairs;
  out.left_out = sums.left_out;
  std::vector<double> p;
  for (size_t b = 0; b < kPositionBuckets; ++b) {
    const PositionBucket& bucket = sums.buckets[b];
    if (bucket.cells.empty()) continue;
    BucketCall call;
    call.bucket = b;
    call.sum = bucket.total();
    call.questions = static_cast<int64_t>(bucket.cells.size());
    call.design = design_of(bucket, call.sum);
    if (call.sum.variance > 0) {
      call.z = (static_cast<double>(call.sum.flips) - call.sum.expected) / std::sqrt(call.sum.variance);
      call.p = call.sum.variance < kFewExpected ? stats::poisson_at_least(call.sum.flips, call.sum.expected) : stats::normal_tail(call.z);
    }
    std::vector<ClusterSum> changes, kl;
    for (const PositionCell& cell : bucket.cells) {
      changes.push_back({static_cast<double>(cell.sized), cell.size});
      kl.push_back({static_cast<double>(cell.lists), cell.kl});
    }
    call.change = mean_of_clusters(changes);
    call.kl = mean_of_clusters(kl);
    p.push_back(call.p);
    out.buckets.push_back(std::move(call));
  }
  const std::vector<double> adjusted = stats::holm(p);
  std::vector<double> beyond;
  for (size_t i = 0; i < out.buckets.size(); ++i) {
    out.buckets[i].adjusted = adjusted[i];
    call_bucket(sums, out, noise, margin, i, &out.buckets);
    if (out.buckets[i].ratio.known()) beyond.push_back(out.buckets[i].p_beyond);
  }
  const auto worse = [](const BucketCall& a, const BucketCall& b) {
    if (a.ratio.known() != b.ratio.known()) return a.ratio.known();
    return a.p_beyond != b.p_beyond ? a.p_beyond < b.p_beyond : a.ratio.value > b.ratio.value;
  };
  if (!out.buckets.empty()) out.worst = static_cast<size_t>(std::min_element(out.buckets.begin(), out.buckets.end(), worse) - out.buckets.begin());
  out.called = !beyond.empty();
  if (out.called) {
    const std::vector<double> held = stats::holm(beyond);
    out.p_beyond = *std::min_element(held.begin(), held.end());
  }
  return out;
}

}  // namespace vaa
