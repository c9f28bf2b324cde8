#include "quality/tail_follower.h"

#include <algorithm>

namespace vaa {

template <class Symbol>
TailFollower<Symbol>::TailFollower(size_t max_period)
    : max_period_(max_period), widest_(std::clamp(max_period * RunLimits<Symbol>::kMinCount, kReach * kStep, kKept)), buffer_(2 * kKept) {
  scratch_.z().resize(kKept);
}

template <class Symbol>
void TailFollower<Symbol>::reset() {
  filled_ = dropped_ = 0;
  run_ = {};
}

template <class Symbol>
void TailFollower<Symbol>::make_room() {
  if (filled_ < buffer_.size()) return;
  std::copy(buffer_.end() - static_cast<ptrdiff_t>(kKept), buffer_.end(), buffer_.begin());
  dropped_ += buffer_.size() - kKept;
  filled_ = kKept;
}

template <class Symbol>
size_t TailFollower<Symbol>::take(std::span<const Symbol> chunk, size_t until) {
  size_t taken = 0;
  while (taken < chunk.size() && size() < until) {
    make_room();
    const size_t room = std::min({chunk.size() - taken, buffer_.size() - filled_, kStep - size() % kStep, until - size()});
    size_t n = 0;
    if (run_.period == 0) {
      n = room;
      std::copy_n(chunk.begin() + static_cast<ptrdiff_t>(taken), n, buffer_.begin() + static_cast<ptrdiff_t>(filled_));
    } else {
      for (; n < room && chunk[taken + n] == buffer_[filled_ + n - run_.period]; ++n) buffer_[filled_ + n] = chunk[taken + n];
      run_.end += n;
      if (n == 0) {
        run_ = {};
        break;
      }
    }
    taken += n;
    filled_ += n;
    if (size() % kStep == 0 && search()) break;
  }
  return taken;
}

// True where there is another run now.
template <class Symbol>
bool TailFollower<Symbol>::search() {
  const size_t step = size() & (~size() + 1);
  const size_t width = std::min(step < widest_ ? step * kReach : widest_, widest_);
  if (run_.period != 0 && width <= 3 * run_.cover()) return false;
  const std::span<const Symbol> all = history();
  const std::span<const Symbol> tail = all.last(std::min(width, all.size()));
  Run run = find_tail_run(tail, &scratch_);
  if (run.period == 0 || run.period > max_period_) return false;
  run.begin += all.size() - tail.size();
  run.end = all.size();
  while (run.begin > 0 && all[run.begin - 1] == all[run.begin - 1 + run.period]) --run.begin;
  run.begin += dropped_;
  run.end += dropped_;
  if (run.cover() <= run_.cover()) return false;
  run_ = run;
  return true;
}

template class TailFollower<uint8_t>;
template class TailFollower<int32_t>;

}  // namespace vaa
