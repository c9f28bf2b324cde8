// The steps of exp_row.h on vectors of 16 bytes (SSE2, NEON), 32 (AVX2) or 64 (AVX-512). Everything is inlined into a function of the instruction set that it is compiled for.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "base/double_double.h"

namespace vaa::exp_lanes {

#define VAA_INLINED [[gnu::always_inline]] inline

constexpr size_t kLanes = 16;

struct Narrow {
  typedef double Doubles __attribute__((vector_size(16)));
  typedef int64_t Longs __attribute__((vector_size(16)));
  typedef float Floats __attribute__((vector_size(16)));
  typedef int32_t Ints __attribute__((vector_size(16)));
  typedef float FewFloats __attribute__((vector_size(8)));  // as many as Doubles
};
struct Wide {
  typedef double Doubles __attribute__((vector_size(32)));
  typedef int64_t Longs __attribute__((vector_size(32)));
  typedef float Floats __attribute__((vector_size(32)));
  typedef int32_t Ints __attribute__((vector_size(32)));
  typedef float FewFloats __attribute__((vector_size(16)));
};

struct Widest {
  typedef double Doubles __attribute__((vector_size(64)));
  typedef int64_t Longs __attribute__((vector_size(64)));
  typedef float Floats __attribute__((vector_size(64)));
  typedef int32_t Ints __attribute__((vector_size(64)));
  typedef float FewFloats __attribute__((vector_size(32)));
};

// Vectors go by reference: passed by value they would bind the caller to an ABI.
template <class Lanes>
struct Steps {
  using Doubles = typename Lanes::Doubles;
  using Longs = typename Lanes::Longs;
  using Floats = typename Lanes::Floats;
  using Ints = typename Lanes::Ints;
  static constexpr size_t kDoubles = sizeof(Doubles) / sizeof(double), kFloats = 2 * kDoubles;
  static constexpr size_t kVectors = kLanes / kDoubles;

  VAA_INLINED static void load(const double* p, Doubles* v) { std::memcpy(v, p, sizeof *v); }
  VAA_INLINED static void load(const float* p, Doubles* v) {
    typename Lanes::FewFloats few;
    std::memcpy(&few, p, sizeof few);
    *v = __builtin_convertvector(few, Doubles);
  }
  VAA_INLINED static void load(const float* p, Floats* v) { std::memcpy(v, p, sizeof *v); }

  // exp for x <= 0: x = k log 2 + r, |r| <= 0.347, and the Taylor series to r^13 in pairs (Estrin), whose first term left out is below 2^-57. Scaled by 2^(k + 100) and 2^-100, so
  // that results below the normal numbers are rounded once.
  VAA_INLINED static void take_exp(const Doubles& x, Doubles* out) {
    constexpr double kMagic = 0x1.8p52, kLeast = -746;
    const Doubles least = Doubles{} + kLeast;
    const Doubles bounded = x > least ? x : least;
    const Doubles shifted = bounded * 1.4426950408889634074 + kMagic;
    const Doubles k = shifted - kMagic;
    const Doubles r = (bounded - k * 0x1.62e42fee00000p-1) - k * 0x1.a39ef35793c76p-33;
    const Doubles r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
    const Doubles a = (r * (1.0 / 6) + 1.0 / 2) + r2 * (r * (1.0 / 120) + 1.0 / 24);
    const Doubles b = (r * (1.0 / 5040) + 1.0 / 720) + r2 * (r * (1.0 / 362880) + 1.0 / 40320);
    const Doubles c = (r * (1.0 / 39916800) + 1.0 / 3628800) + r2 * (r * (1.0 / 6227020800) + 1.0 / 479001600);
    const Doubles y = 1 + (r + r2 * ((a + r4 * b) + r8 * c));
    const Longs exponent = ((Longs)shifted + (1023 + 100)) << 52;  // the low bits of a number near kMagic are the integer
    *out = (y * (Doubles)exponent) * 0x1p-100;
  }

  // The same in float, to r^7: the terms left out are below 2^-27.
  VAA_INLINED static void take_exp(const Floats& x, Floats* out) {
    constexpr float kMagic = 0x1.8p23f, kLeast = -104;
    const Floats least = Floats{} + kLeast;
    const Floats bounded = x > least ? x : least;
    const Floats shifted = bounded * 1.44269504f + kMagic;
    const Floats k = shifted - kMagic;
    const Floats r = (bounded - k * 0x1.62e4p-1f) - k * 0x1.7f7d1cp-20f;
    const Floats r2 = r * r;
    const Floats a = (r * (1.0f / 6) + 1.0f / 2) + r2 * (r * (1.0f / 120) + 1.0f / 24);
    const Floats b = r * (1.0f / 5040) + 1.0f / 720;
    const Floats y = 1 + (r + r2 * (a + (r2 * r2) * b));
    const Ints exponent = ((Ints)shifted + (127 + 64)) << 23;
    *out = (y * (Floats)exponent) * 0x1p-64f;
  }

  // Sixteen sums with what each addition lost.
  struct Sums {
    Doubles sum[kVectors] = {}, lost[kVectors] = {};
    VAA_INLINED void add(size_t v, const Doubles& value) {
      const Doubles total = sum[v] + value, from = total - sum[v];
      lost[v] += (sum[v] - (total - from)) + (value - from);
      sum[v] = total;
    }
    VAA_INLINED double value() const {
      DoubleDouble all;
      for (size_t v = 0; v < kVectors; ++v)
        for (size_t i = 0; i < kDoubles; ++i) all = all + quick_two_sum(sum[v][i], lost[v][i]);
      return all.high;
    }
  };

  template <class Value>
  VAA_INLINED static void exp16(const Value* z, double max, double* weights, Sums* sums) {
    for (size_t v = 0; v < kVectors; ++v) {
      Doubles w;
      load(z + kDoubles * v, &w);
      take_exp(w - max, &w);
      std::memcpy(weights + kDoubles * v, &w, sizeof w);
      sums->add(v, w);
    }
  }

  template <class Value>
  VAA_INLINED static double exp_all(const Value* z, size_t size, double max, double* weights) {
    Sums sums;
    size_t i = 0;
    for (; i + kLanes <= size; i += kLanes) exp16(z + i, max, weights + i, &sums);
    if (i < size) {
      Value last[kLanes];
      double w[kLanes];
      for (size_t j = 0; j < kLanes; ++j) last[j] = i + j < size ? z[i + j] : -std::numeric_limits<Value>::infinity();
      exp16(last, max, w, &sums);
      std::memcpy(weights + i, w, (size - i) * sizeof w[0]);
    }
    return sums.value();
  }

  VAA_INLINED static void exp16_float(const float* z, float max, float* weights, Doubles* sums) {
    for (size_t v = 0; v < kLanes / kFloats; ++v) {
      Floats w;
      load(z + kFloats * v, &w);
      take_exp(w - max, &w);
      std::memcpy(weights + kFloats * v, &w, sizeof w);
      for (size_t half = 0; half < 2; ++half) {
        Doubles doubles;
        load(weights + kFloats * v + kDoubles * half, &doubles);
        sums[2 * v + half] += doubles;
      }
    }
  }

  VAA_INLINED static double exp_all_float(const float* z, size_t size, float max, float* weights) {
    Doubles sums[kVectors] = {};
    size_t i = 0;
    for (; i + kLanes <= size; i += kLanes) exp16_float(z + i, max, weights + i, sums);
    if (i < size) {
      float last[kLanes], w[kLanes];
      for (size_t j = 0; j < kLanes; ++j) last[j] = i + j < size ? z[i + j] : -std::numeric_limits<float>::infinity();
      exp16_float(last, max, w, sums);
      std::memcpy(weights + i, w, (size - i) * sizeof w[0]);
    }
    double all = 0;
    for (size_t v = 0; v < kVectors; ++v)
      for (size_t i2 = 0; i2 < kDoubles; ++i2) all += sums[v][i2];
    return all;
  }

  VAA_INLINED static float max_all(const float* z, size_t size) {
    constexpr float kLow = -std::numeric_limits<float>::infinity();
    Floats most[2] = {Floats{} + kLow, Floats{} + kLow};
    Ints odd = {};  // NaNs that were seen
    size_t i = 0;
    for (; i + 2 * kFloats <= size; i += 2 * kFloats) {
      for (size_t v = 0; v < 2; ++v) {
        Floats x;
        load(z + i + kFloats * v, &x);
        odd |= x != x;
        most[v] = x > most[v] ? x : most[v];
      }
    }
    float max = kLow;
    bool nan = false;
    for (size_t j = 0; j < kFloats; ++j) {
      nan = nan || odd[j] != 0;
      for (size_t v = 0; v < 2; ++v) max = most[v][j] > max ? most[v][j] : max;
    }
    for (; i < size; ++i) {
      nan = nan || z[i] != z[i];
      max = z[i] > max ? z[i] : max;
    }
    return nan ? std::numeric_limits<float>::quiet_NaN() : max;
  }

  // As max_all, with the numbers as doubles, and whether one is -infinity.
  VAA_INLINED static float widen_all(const float* z, size_t size, double* out, bool* masked) {
    constexpr float kLow = -std::numeric_limits<float>::infinity();
    Floats most = Floats{} + kLow;
    Ints odd = {}, low = {};
    size_t i = 0;
    for (; i + kFloats <= size; i += kFloats) {
      Floats x;
      load(z + i, &x);
      odd |= x != x;
      low |= x == kLow;
      most = x > most ? x : most;
      for (size_t v = 0; v < 2; ++v) {
        Doubles wide;
        load(z + i + v * kDoubles, &wide);
        std::memcpy(out + i + v * kDoubles, &wide, sizeof wide);
      }
    }
    float max = kLow;
    bool nan = false;
    *masked = false;
    for (size_t j = 0; j < kFloats; ++j) {
      nan = nan || odd[j] != 0;
      *masked = *masked || low[j] != 0;
      max = most[j] > max ? most[j] : max;
    }
    for (; i < size; ++i) {
      nan = nan || z[i] != z[i];
      *masked = *masked || z[i] == kLow;
      max = z[i] > max ? z[i] : max;
      out[i] = static_cast<double>(z[i]);
    }
    return nan ? std::numeric_limits<float>::quiet_NaN() : max;
  }
};

#undef VAA_INLINED

}  // namespace vaa::exp_lanes
