#include "reject/verifier/row_passes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/exp_lanes.h"
#include "base/row_isa.h"

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

  // The bits of all numbers of a block, ored: the sign tells whether one may be negative.
  VAA_INLINED static void signs(const float* row, Longs* bits) {
    for (size_t v = 0; v < kVectors / 2; ++v) {
      Longs words;
      std::memcpy(&words, row + 2 * v * kWide, sizeof words);
      *bits |= words;
    }
  }
  VAA_INLINED static void signs(const double* row, Longs* bits) {
    for (size_t v = 0; v < kVectors; ++v) {
      Longs words;
      std::memcpy(&words, row + v * kWide, sizeof words);
      *bits |= words;
    }
  }

  template <class Value>
  VAA_INLINED static RowSum sum(const Value* row, size_t size) {
    Doubles sums[kVectors] = {};
    Longs bits = {};
    size_t i = 0;
    for (; i + kLanes <= size; i += kLanes) {
      for (size_t v = 0; v < kVectors; ++v) {
        Doubles x;
        Vectors::load(row + i + v * kWide, &x);
        sums[v] += x;
      }
      signs(row + i, &bits);
    }
    double lanes[kLanes];
    std::memcpy(lanes, sums, sizeof lanes);
    bool negative = false;
    for (; i < size; ++i) {
      lanes[i % kLanes] += static_cast<double>(row[i]);
      negative |= std::signbit(row[i]);
    }
    RowSum out{0, 0};
    for (const double lane : lanes) out.sum += lane;
    for (size_t v = 0; v < kWide; ++v) negative |= (static_cast<uint64_t>(bits[v]) & (sizeof(Value) == 4 ? 0x8000000080000000u : 0x8000000000000000u)) != 0;
    if (negative) out.least = std::min(0.0, static_cast<double>(*std::min_element(row, row + size)));  // -0 is no negative number
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
using Avx512 = Passes<exp_lanes::Widest>;
[[gnu::target("avx2")]] RowSum sum_avx2(const float* row, size_t size) { return Avx2::sum(row, size); }
[[gnu::target("avx2")]] RowSum sum_avx2(const double* row, size_t size) { return Avx2::sum(row, size); }
[[gnu::target("avx2")]] size_t race_avx2(const RaceRows& rows, double bound, size_t begin, size_t end) { return Avx2::race(rows, bound, begin, end); }
[[gnu::target("avx512f")]] RowSum sum_avx512(const float* row, size_t size) { return Avx512::sum(row, size); }
[[gnu::target("avx512f")]] RowSum sum_avx512(const double* row, size_t size) { return Avx512::sum(row, size); }
#endif

}  // namespace

RowSum sum_row(const float* row, size_t size, RowIsa isa) {
  VAA_WIDE(isa, sum_avx512(row, size), sum_avx2(row, size));
  return Base::sum(row, size);
}

RowSum sum_row(const double* row, size_t size, RowIsa isa) {
  VAA_WIDE(isa, sum_avx512(row, size), sum_avx2(row, size));
  return Base::sum(row, size);
}

size_t next_in_race(const RaceRows& rows, double bound, size_t begin, size_t end, RowIsa isa) {
  const size_t blocks = begin + (end - begin) / kLanes * kLanes;
  VAA_WIDE(isa, race_avx2(rows, bound, begin, blocks), race_avx2(rows, bound, begin, blocks));  // as fast as memory
  return Base::race(rows, bound, begin, blocks);
}

#undef VAA_INLINED

}  // namespace vaa
