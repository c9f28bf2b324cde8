// Random numbers for our own needs (permutations, seeded trials): the same for a seed on every host and in every version.
#pragma once
#include <array>
#include <cstdint>

namespace vaa {

// Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011): a counter to four words.
std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

// A sequence of words: the key is the seed, the upper half of the counter the stream, so streams of one seed never meet.
class Random {
 public:
  explicit Random(uint64_t seed, uint64_t stream = 0) : seed_(seed), stream_(stream) {}
  uint32_t next32();
  uint64_t next64();
  double uniform();               // in [0, 1), 53 bits
  uint64_t below(uint64_t bound);  // in [0, bound), without bias; bound 0: 0

 private:
  uint64_t seed_, stream_;
  uint64_t block_ = 0;
  uint32_t used_ = 4;
  std::array<uint32_t, 4> words_{};
};

}  // namespace vaa
