#include "reject/civil_time.h"
#include "reject/counter_checks/counter_checks.h"

namespace vaa {

extern const CounterCheck kNothingDrafted, kZeroAcceptance, kZeroStretch, kFullAcceptance, kCountBounds, kPositionShape, kAcceptanceDecay, kRankFall, kSampledZero, kSampledRise, kChunkIds, kEngineVanished;

std::span<const CounterCheck* const> counter_check_table() {
  static constexpr const CounterCheck* kTable[] = {&kNothingDrafted, &kZeroAcceptance, &kZeroStretch, &kSampledZero, &kSampledRise, &kChunkIds, &kFullAcceptance,
                                                   &kCountBounds,    &kPositionShape,  &kAcceptanceDecay, &kRankFall, &kEngineVanished};
  return kTable;
}

std::string window_start(const SpecSeries& series, size_t window) {
  if (window > 0) return series.windows[window - 1].at;
  const std::string shown = shown_time(series.windows[0].from_s);
  return shown.empty() ? series.windows[0].at : shown;
}

}  // namespace vaa
