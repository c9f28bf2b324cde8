// MT19937 of Matsumoto and Nishimura (1998) with the seeding of one word (2002): what std::mt19937, torch's CPU generator and numpy's RandomState run on.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "sampler/generators/word_kernels.h"

namespace vaa {

class Mt19937 {
 public:
  static constexpr size_t kWords = 624;
  // Words that discard() runs through at most: some ten seconds.
  static constexpr uint64_t kMostSkipped = uint64_t{1} << 36;

  explicit Mt19937(uint32_t seed, const WordKernels* kernels = word_kernels());
  uint32_t next() { return ready(1)[0]; }
  // The next words, at least one and at most `most` (> 0) of them; valid until the next call.
  std::span<const uint32_t> ready(size_t most);
  void fill(std::span<uint32_t> out);
  void discard(uint64_t words);

  // As it is saved: the words of the block that is given out, and how many of them are (kWords: the next one makes a new block).
  const std::array<uint32_t, kWords>& state() const { return state_; }
  size_t used() const { return used_; }
  bool fresh() const { return fresh_; }  // seeded, and nothing drawn
  void restore(std::span<const uint32_t, kWords> state, size_t used, bool fresh);

 private:
  const WordKernels* kernels_;
  std::array<uint32_t, kWords> state_;
  std::array<uint32_t, kWords> words_;  // the tempered block
  size_t used_ = kWords;
  bool fresh_ = true;
};

}  // namespace vaa
