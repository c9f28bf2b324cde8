#include <algorithm>

#include "reject/civil_time.h"
#include "reject/counter_checks/counter_checks.h"

namespace vaa {
namespace {

constexpr double kOfGreedy = 0.1;  // of what is accepted at T = 0: less of it at T > 0 is nothing

}  // namespace

extern const CounterCheck kNothingDrafted, kZeroAcceptance, kZeroStretch, kFullAcceptance, kCountBounds, kPositionShape, kAcceptanceDecay, kRankFall, kSampledZero, kSampledRise, kChunkIds, kEngineVanished;

std::span<const CounterCheck* const> counter_check_table() {
  static constexpr const CounterCheck* kTable[] = {&kNothingDrafted, &kZeroAcceptance, &kZeroStretch, &kSampledZero, &kSampledRise, &kChunkIds, &kFullAcceptance,
                                                   &kCountBounds,    &kPositionShape,  &kAcceptanceDecay, &kRankFall, &kEngineVanished};
  return kTable;
}

void judge_zero(const ZeroRate& zero, double floor, AuditFinding* f) {
  f->effect = zero.rate;
  f->lower = zero.interval.low;
  f->upper = zero.interval.high;
  f->margin = floor;
  f->p = zero.p;
  f->n_needed = zero.n_needed;
  f->status = zero.interval.high < floor ? FindingStatus::kFail : zero.interval.low > floor ? FindingStatus::kPass : FindingStatus::kUndecided;
}

double floor_beside_greedy(double floor, double greedy) { return greedy > floor ? std::max(floor, kOfGreedy * greedy) : floor; }

std::string window_start(const SpecSeries& series, size_t window) {
  if (window > 0) return series.windows[window - 1].at;
  const std::string shown = shown_time(series.windows[0].from_s);
  return shown.empty() ? series.windows[0].at : shown;
}

}  // namespace vaa
