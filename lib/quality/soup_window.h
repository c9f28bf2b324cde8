// The last 48 letters of a line, as runs of letters of one script group: how many groups there are and how often they change (docs/detectors.md, script_soup).
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace vaa {

struct Soup {
  size_t dense = 0;    // letters at which the window holds 3 groups and 12 changes, or 4 and 8, or 5 and 5
  size_t thin = 0;     // letters at which it holds 3 groups and 5 changes
  size_t begin = 0, end = 0;  // bytes: from the first change in the first such window to the last letter of the last one
};

// Amortised O(1) a run.
class SoupWindow {
 public:
  void line_end() {
    for (size_t i = 0; i < size_; ++i) counts_[runs_[(head_ + i) % kRuns].group] = 0;
    head_ = size_ = inside_ = groups_ = changes_ = 0;
  }

  // `letters` of `group` in text[begin, end); `apart`: a separator stands between them and the letters before.
  void add(uint8_t group, size_t letters, bool apart, size_t begin, size_t end, Soup* soup) {
    const bool change = size_ != 0 && !apart && runs_[(head_ + size_ - 1) % kRuns].group != group;
    changes_ += change;
    groups_ += counts_[group]++ == 0;
    runs_[(head_ + size_++) % kRuns] = {group, change, 0, begin};
    while (letters > 0) {
      // As many letters as see the same groups and changes.
      size_t step = letters;
      if (inside_ < kLeast) step = std::min(step, kLeast - inside_);
      else if (inside_ < kWindow) step = std::min(step, kWindow - inside_);
      else if (size_ > 1) step = std::min(step, std::max<size_t>(runs_[head_].letters - 1, 1));
      Run& last = runs_[(head_ + size_ - 1) % kRuns];
      last.letters = std::min(last.letters + step, kWindow);
      const size_t seen = inside_ < kLeast ? 1 : step;  // letters at which the window is looked at: of those up to kLeast only the last
      inside_ += step;
      while (inside_ > kWindow) drop(inside_ - kWindow);
      letters -= step;
      if (inside_ >= kLeast) judge(seen, end, soup);
    }
  }

 private:
  static constexpr size_t kWindow = 48, kLeast = 24;
  static constexpr size_t kRuns = 64;  // a run has a letter, the newest perhaps none yet
  struct Run {
    uint8_t group;
    bool change;     // from the run before
    size_t letters;  // in the window
    size_t begin;
  };
  void drop(size_t letters) {
    Run& first = runs_[head_];
    if (size_ == 1) {
      inside_ -= letters;
      return;
    }
    const size_t gone = std::min(letters, first.letters);
    first.letters -= gone;
    inside_ -= gone;
    if (first.letters != 0) return;
    groups_ -= --counts_[first.group] == 0;
    head_ = (head_ + 1) % kRuns;
    --size_;
    changes_ -= runs_[head_].change;
    runs_[head_].change = false;
  }
  void judge(size_t letters, size_t end, Soup* soup) const {
    const bool dense = (groups_ >= 3 && changes_ >= 12) || (groups_ >= 4 && changes_ >= 8) || (groups_ >= 5 && changes_ >= 5);
    const bool thin = groups_ >= 3 && changes_ >= 5;
    if (!thin) return;
    if (soup->thin == 0) soup->begin = runs_[(head_ + 1) % kRuns].begin;
    soup->dense += dense ? letters : 0;
    soup->thin += letters;
    soup->end = end;
  }

  std::array<Run, kRuns> runs_;  // of which size_ from head_ on
  std::array<uint8_t, 256> counts_{};
  size_t head_ = 0, size_ = 0, inside_ = 0, groups_ = 0, changes_ = 0;
};

}  // namespace vaa
