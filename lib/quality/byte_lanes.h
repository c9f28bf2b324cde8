// Sixteen bytes of a text at once, by GCC's vectors, which every host has.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace vaa {

using ByteLanes = uint8_t __attribute__((vector_size(16)));
constexpr size_t kLanes = sizeof(ByteLanes);

inline ByteLanes load_lanes(const char* p) {
  ByteLanes v;
  std::memcpy(&v, p, sizeof(v));
  return v;
}
// Of a comparison.
template <class Lanes>
bool any_lane(const Lanes& v) {
  uint64_t halves[2];
  std::memcpy(halves, &v, sizeof(v));
  return (halves[0] | halves[1]) != 0;
}
// How many lanes of `count(p)`, a comparison, are true over p = from, from + step, … while [p, p + step) lies before `end`. `step` is at least kLanes.
template <class Count>
size_t count_lanes(const char* from, const char* end, size_t step, const Count& count) {
  constexpr size_t kRun = 255;  // vectors that a count of eight bits a lane holds
  size_t sum = 0;
  for (size_t left = static_cast<size_t>(end - from) / step; left > 0;) {
    ByteLanes lanes = {};
    const size_t run = left < kRun ? left : kRun;
    for (size_t i = 0; i < run; ++i, from += step) lanes -= reinterpret_cast<ByteLanes>(count(from));
    for (size_t i = 0; i < kLanes; ++i) sum += lanes[i];
    left -= run;
  }
  return sum;
}

}  // namespace vaa
