// 64-bit hashes of texts, the same on every host. Not for hostile keys: who makes two texts collide only makes them count as one.
#pragma once
#include <cstdint>
#include <cstring>
#include <string_view>

namespace vaa {

// The finalizer of MurmurHash3.
inline uint64_t mixed(uint64_t h) {
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdULL;
  h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return h ^ (h >> 33);
}

inline uint64_t hash_bytes(uint64_t seed, std::string_view text) {
  uint64_t h = mixed(seed ^ text.size());
  // Four lanes hide the latency of the products on long texts.
  if (text.size() >= 64) {
    uint64_t lanes[4] = {h, h + 1, h + 2, h + 3};
    for (; text.size() >= 32; text.remove_prefix(32)) {
      uint64_t words[4];
      std::memcpy(words, text.data(), 32);
      for (int i = 0; i < 4; ++i) {
        lanes[i] = (lanes[i] ^ words[i]) * 0x9e3779b97f4a7c15ULL;
        lanes[i] ^= lanes[i] >> 29;
      }
    }
    h = mixed(lanes[0]) ^ mixed(lanes[1] + 1) ^ mixed(lanes[2] + 2) ^ mixed(lanes[3] + 3);
  }
  while (!text.empty()) {
    const size_t size = text.size() < 8 ? text.size() : 8;
    uint64_t word = 0;
    std::memcpy(&word, text.data(), size);
    h = mixed(h ^ word) + 0x9e3779b97f4a7c15ULL;
    text.remove_prefix(size);
  }
  return h;
}

}  // namespace vaa
