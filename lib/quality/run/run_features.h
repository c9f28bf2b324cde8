// All samples of a run as the checks of the run see them.
#pragma once
#include <cstdint>
#include <span>

#include "quality/run/run_check.h"
#include "quality/run_view.h"
#include "quality/tally_state.h"

namespace vaa {

class RunFeatures {
 public:
  RunFeatures(const Tally::State& state, const RunView& view) : state_(state), view_(view) {}
  const Tally::State& state() const { return state_; }
  const RunView& view() const { return view_; }
  size_t size() const { return state_.kept.size(); }
  const KeptSample& sample(uint32_t i) const { return state_.kept[i]; }
  const KeptTrace& trace(uint32_t i) const { return state_.trail[i]; }
  const Trail& trail() const { return state_.trail; }
  size_t datasets() const { return state_.datasets.size(); }
  std::span<const uint32_t> of_dataset(size_t dataset) const { return view_.of_dataset(dataset); }
  // An answer in text.
  bool answered(uint32_t i) const { return trace(i).is(Trace::kText); }
  // Calls each(samples) for every question, as RunView::questions does.
  template <class Each>
  void questions(Each each) const {
    for (size_t d = 0; d < datasets(); ++d) view_.questions(of_dataset(d), each);
  }

 private:
  const Tally::State& state_;
  const RunView& view_;
};

}  // namespace vaa
