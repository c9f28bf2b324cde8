#include "base/random.h"

namespace vaa {
namespace {

uint32_t low(uint64_t v) { return static_cast<uint32_t>(v); }
uint32_t high(uint64_t v) { return static_cast<uint32_t>(v >> 32); }

}  // namespace

std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xD2511F53} * counter[0];
    const uint64_t b = uint64_t{0xCD9E8D57} * counter[2];
    counter = {high(b) ^ counter[1] ^ key[0], low(b), high(a) ^ counter[3] ^ key[1], low(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

uint32_t Random::next32() {
  if (used_ == words_.size()) {
    words_ = philox4x32({low(block_), high(block_), low(stream_), high(stream_)}, {low(seed_), high(seed_)});
    ++block_;
    used_ = 0;
  }
  return words_[used_++];
}

uint64_t Random::next64() {
  const uint64_t lower = next32();
  return lower | uint64_t{next32()} << 32;
}

double Random::uniform() { return static_cast<double>(next64() >> 11) * 0x1p-53; }

uint64_t Random::below(uint64_t bound) {
  if (bound == 0) return 0;
  const uint64_t reject = (0 - bound) % bound;  // 2^64 mod bound words would be drawn once too often
  uint64_t word;
  do word = next64();
  while (word < reject);
  return word % bound;
}

}  // namespace vaa
