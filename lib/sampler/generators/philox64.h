// Philox4x64-10 (Salmon and others 2011), for what older Triton draws from 64-bit offsets.
#pragma once
#include <array>
#include <cstdint>

namespace vaa {

inline std::array<uint64_t, 4> philox4x64(std::array<uint64_t, 4> counter, std::array<uint64_t, 2> key) {
  __extension__ using Wide = unsigned __int128;
  for (int round = 0; round < 10; ++round) {
    const Wide a = Wide{0xD2E7470EE14C6C93} * counter[0], b = Wide{0xCA5A826395121157} * counter[2];
    counter = {static_cast<uint64_t>(b >> 64) ^ counter[1] ^ key[0], static_cast<uint64_t>(b), static_cast<uint64_t>(a >> 64) ^ counter[3] ^ key[1], static_cast<uint64_t>(a)};
    key[0] += 0x9E3779B97F4A7C15;
    key[1] += 0xBB67AE8584CAA73B;
  }
  return counter;
}

}  // namespace vaa
