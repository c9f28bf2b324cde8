// The kept samples of a run put in order, so that sums, repeats and pairs come out the same for any order of input.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "quality/tally_state.h"

namespace vaa {

// A run's samples by dataset, question, repeat. 4 bytes a sample.
class RunView {
 public:
  explicit RunView(const Tally::State& state);
  const KeptSample& sample(uint32_t index) const { return state_.kept[index]; }
  std::span<const uint32_t> all() const { return order_; }
  std::span<const uint32_t> of_dataset(size_t dataset) const;  // sorted by question, then repeat
  // Calls each(std::span<const uint32_t>) for the samples of every question, one question after another.
  template <class Each>
  void questions(std::span<const uint32_t> samples, Each each) const {
    for (size_t begin = 0, end = 0; begin < samples.size(); begin = end) {
      while (end < samples.size() && sample(samples[end]).question == sample(samples[begin]).question) ++end;
      each(samples.subspan(begin, end - begin));
    }
  }
  int64_t question_count(size_t dataset) const { return question_counts_[dataset]; }
  int64_t questions() const { return questions_; }
  int64_t most_repeats() const { return most_repeats_; }
  int64_t duplicates() const { return duplicates_; }  // samples with the dataset, id and repeat of another

 private:
  const Tally::State& state_;
  std::vector<uint32_t> order_;
  std::vector<size_t> dataset_begins_;  // one more than there are datasets
  std::vector<int64_t> question_counts_;
  int64_t questions_ = 0, most_repeats_ = 0, duplicates_ = 0;
};

}  // namespace vaa
