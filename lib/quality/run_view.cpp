#include "quality/run_view.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace vaa {

RunView::RunView(const Tally::State& state) : state_(state), order_(state.kept.size()) {
  std::iota(order_.begin(), order_.end(), 0U);
  const auto rest = [](const KeptSample& s) { return std::make_tuple(s.repeat, s.value, s.bits, s.counted, s.tokens, s.chars); };
  std::sort(order_.begin(), order_.end(), [&](uint32_t i, uint32_t j) {
    const KeptSample &a = state_.kept[i], &b = state_.kept[j];
    if (a.dataset != b.dataset) return a.dataset < b.dataset;
    return a.question != b.question ? a.question < b.question : rest(a) < rest(b);
  });
  dataset_begins_.resize(state_.datasets.size() + 1, order_.size());
  for (size_t i = order_.size(); i-- > 0;) dataset_begins_[sample(order_[i]).dataset] = i;
  for (size_t d = state_.datasets.size(); d-- > 0;) dataset_begins_[d] = std::min(dataset_begins_[d], dataset_begins_[d + 1]);
  question_counts_.resize(state_.datasets.size());
  for (size_t d = 0; d < state_.datasets.size(); ++d) {
    questions(of_dataset(d), [&](std::span<const uint32_t> one) {
      question_counts_[d] += 1;
      most_repeats_ = std::max(most_repeats_, static_cast<int64_t>(one.size()));
      for (size_t i = 1; i < one.size(); ++i) duplicates_ += sample(one[i]).repeat == sample(one[i - 1]).repeat;
    });
    questions_ += question_counts_[d];
  }
}

std::span<const uint32_t> RunView::of_dataset(size_t dataset) const {
  return std::span(order_).subspan(dataset_begins_[dataset], dataset_begins_[dataset + 1] - dataset_begins_[dataset]);
}

}  // namespace vaa
