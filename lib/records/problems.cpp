#include <algorithm>

#include "records/format.h"

namespace vaa {

void Problems::add(std::string file, int64_t line, std::string message) {
  ++count;
  if (first.size() < kKept) first.push_back({std::move(file), line, std::move(message)});
}

void Problems::note(std::string text) {
  if (notes.size() < kKept && std::find(notes.begin(), notes.end(), text) == notes.end()) notes.push_back(std::move(text));
}

void Problems::take_new(Problems* from, int64_t* taken) {
  const auto kept = static_cast<int64_t>(from->first.size());
  for (int64_t i = *taken; i < kept; ++i) {
    const Problem& problem = from->first[static_cast<size_t>(i)];
    add(problem.file, problem.line, problem.message);
  }
  count += from->count - std::max(*taken, kept);
  *taken = from->count;
  for (std::string& text : from->notes) note(std::move(text));
  from->notes.clear();
}

Sample& SampleQueue::add() {
  const size_t at = first_ + size_;
  if (at == samples_.size()) samples_.emplace_back();
  ++size_;
  samples_[at].clear();
  return samples_[at];
}

bool SampleQueue::pop(Sample* sample) {
  if (size_ == 0) return false;
  sample->swap(samples_[first_]);
  ++first_;
  if (--size_ == 0) {
    first_ = 0;
    // A unit of very many samples is rare: its room is not kept.
    constexpr size_t kKept = 256;
    if (samples_.size() > kKept) samples_.resize(kKept);
  }
  return true;
}

void SampleQueue::drop_last() {
  if (size_ > 0 && --size_ == 0) first_ = 0;
}

}  // namespace vaa
