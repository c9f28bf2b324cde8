#include "reject/verifier/row_passes.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/exp_lanes.h"

namespace vaa {
namespace {

constexpr size_t kLanes = exp_lanes::kLanes;
#define VAA_INLINED [[gnu::always_inline]] inline

template <class Lanes>
struct Passes {
  using Vectors = exp_lanes::Steps<Lanes>;
  using Doubles = typename Vectors::Doubles;
  using Longs = typename Vectors::Longs;
  static constexpr size_t kWide = Vectors::kDoubles, kVectors = Vectors::kVectors;

  template <class Value>
  VAA_INLINED static RowSum sum(const Value* row, size_t size) {
    Doubles sums[kVectors] = {}, least[kVectors] = {};
    size_t i = 0;
    for (; i + kLanes <= size; i += kLanes) {
      for (size_t v = 0; v < kVectors; ++v) {
        Doubles x;
        Vectors::load(row + i + v * kWide, &x);
        sums[v] += x;
        least[v] = x < least[v] ? x : least[v];
      }
    }
    double lanes[kLanes], low[kLanes];
    std::memcpy(lanes, sums, sizeof lanes);
    std::memcpy(low, least, sizeof low);
    for (; i < size; ++i) {
      const double x = static_cast<double>(row[i]);
      lanes[i % kLanes] += x;
      low[i % kLanes] = x < low[i % kLanes] ? x : low[i % kLanes];
    }
    RowSum out{0, 0};
    for (size_t lane = 0; lane < kLanes; ++lane) {
      out.sum += lanes[lane];
      out.least = std::min(out.least, low[lane]);
    }
    return out;
  }

  // Whole blocks only; the caller looks at the last few itself.
  template <class P>
  VAA_INLINED static size_t race(const P* p, const float* q, double scale, const float* noise, double bound, size_t begin, size_t end) {
    constexpr double kMost = std::numeric_limits<double>::max();
    for (size_t i = begin; i + kLanes <= end; i += kLanes) {
      Longs found = {};
      for (size_t v = 0; v < kVectors; ++v) {
        Doubles w, e, less = {};
        Vectors::load(p + i + v * kWide, &w);
        Vectors::load(noise + i + v * kWide, &e);
        if (q) Vectors::load(q + i + v * kWide, &less);
        found |= (scale * w - less > bound * e) | ~((e >= 0) & (e <= kMost));
      }
      for (size_t lane = 0; lane < kWide; ++lane)
        if (found[lane]) return i;
    }
    return end;
  }

  VAA_INLINED static size_t race(const RaceRows& rows, double bound, size_t begin, size_t end) {
    if (rows.p.floats) return race(rows.p.floats, rows.q, rows.scale, rows.noise, bound, begin, end);
    return race(rows.p.doubles, rows.q, rows.scale / rows.p.total, rows.noise, bound, begin, end);
  }
};

using Base = Passes<exp_lanes::Narrow>;
#if defined(__x86_64__)
using Avx2 = Passes<exp_lanes::Wide>;
[[gnu::target("avx2")]] RowSum sum_avx2(const float* row, size_t size) { return Avx2::sum(row, size); }
[[gnu::target("avx2")]] RowSum sum_avx2(const double* row, size_t size) { return Avx2::sum(row, size); }
[[gnu::target("avx2")]] size_t race_avx2(const RaceRows& rows, double bound, size_t begin, size_t end) { return Avx2::race(rows, bound, begin, end); }
bool has_avx2(RowIsa isa) { return isa == RowIsa::kAvx2 || (isa == RowIsa::kBest && __builtin_cpu_supports("avx2")); }
#define VAA_WIDE(isa, avx2) \
  if (has_avx2(isa)) return avx2
#else
#define VAA_WIDE(isa, avx2) static_cast<void>(isa)
#endif

}  // namespace

RowSum sum_row(const float* row, size_t size, RowIsa isa) {
  VAA_WIDE(isa, sum_avx2(row, size));
  return Base::sum(row, size);
}

RowSum sum_row(const double* row, size_t size, RowIsa isa) {
  VAA_WIDE(isa, sum_avx2(row, size));
  return Base::sum(row, size);
}

size_t next_in_race(const RaceRows& rows, double bound, size_t begin, size_t end, RowIsa isa) {
  const size_t blocks = begin + (end - begin) / kLanes * kLanes;
  const size_t found = [&] {
    VAA_WIDE(isa, race_avx2(rows, bound, begin, blocks));
    return Base::race(rows, bound, begin, blocks);
  }();
  return found;  // `blocks` where none is found: what is left of a block is for the caller
}

#undef VAA_WIDE
#undef VAA_INLINED

}  // namespace vaa
