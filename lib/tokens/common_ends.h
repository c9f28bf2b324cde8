// How far two id sequences agree from their beginnings and from their ends; eight ids a step.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

namespace vaa {

using Ids = std::span<const int32_t>;

// Ids that agree at the front of `a` and `b`, `most` at most.
inline size_t agreeing(const int32_t* a, const int32_t* b, size_t most) {
  size_t i = 0;
  for (; i + 8 <= most; i += 8) {
    uint64_t x[4], y[4];
    std::memcpy(x, a + i, sizeof x);
    std::memcpy(y, b + i, sizeof y);
    if (((x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3])) != 0) break;
  }
  while (i < most && a[i] == b[i]) ++i;
  return i;
}
inline size_t common_prefix(Ids a, Ids b) { return agreeing(a.data(), b.data(), std::min(a.size(), b.size())); }

inline size_t common_suffix(Ids a, Ids b) {
  const size_t most = std::min(a.size(), b.size());
  size_t i = 0;
  for (; i + 8 <= most && std::memcmp(a.data() + a.size() - i - 8, b.data() + b.size() - i - 8, 32) == 0; i += 8) {}
  while (i < most && a[a.size() - 1 - i] == b[b.size() - 1 - i]) ++i;
  return i;
}

}  // namespace vaa
