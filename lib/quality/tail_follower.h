// The repetition at the end of a stream, followed while the stream goes on. At every doubling of its length it is what find_tail_run says of the whole stream; in
// between a run of period p is found at most p / 2 symbols (kStep for short periods) after it is the widest and has kMinCount copies and kMinCover symbols. From then on its
// cover is exact at every symbol.
//
// How: behind every kStep symbols the last kReach * s of them are searched, s being the largest power of two that divides the length: rarely for long periods, often for short
// ones. A search of w symbols costs O(w), and w / kReach symbols come between two of that width: O(1) a symbol for each of the at most ten widths. While a run of cover c is
// followed only searches wider than 3c can find a wider one (Fine and Wilf: two runs with one end overlap by less than the sum of their periods), so the others are left out.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "quality/runs.h"

namespace vaa {

template <class Symbol>
class TailFollower {
 public:
  static constexpr size_t kStep = 32 / sizeof(Symbol);
  static constexpr size_t kReach = 16;                           // symbols that are searched for each symbol since the last search of that width
  static constexpr size_t kKept = RunLimits<Symbol>::kTail;      // symbols that are always at hand

  // All memory is taken here: 384 KiB for bytes, 768 KiB for ids. max_period: longer ones are not looked for; at least kReach * kStep / RunLimits::kMinCount.
  explicit TailFollower(size_t max_period);
  void reset();

  // Takes symbols from the front of the chunk until the run changes (another one, or the next symbol ends it) or size() is `until`, which is larger. Returns how many. What
  // is found does not depend on where chunks end.
  size_t take(std::span<const Symbol> chunk, size_t until);

  size_t size() const { return dropped_ + filled_; }  // symbols so far
  // The run that lasts to the end, in places of the stream; period 0: none. It begins at most 2 * kKept symbols before the place where it was found.
  const Run& run() const { return run_; }
  // The last symbols, at least kKept where so many were.
  std::span<const Symbol> history() const { return {buffer_.data(), filled_}; }
  std::span<const Symbol> history_from(size_t place) const { return history().subspan(place < dropped_ ? 0 : place - dropped_); }

 private:
  bool search();
  void make_room();
  size_t max_period_, widest_;
  std::vector<Symbol> buffer_;
  size_t filled_ = 0, dropped_ = 0;
  Run run_;
  RunScratch scratch_;
};

extern template class TailFollower<uint8_t>;
extern template class TailFollower<int32_t>;

}  // namespace vaa
