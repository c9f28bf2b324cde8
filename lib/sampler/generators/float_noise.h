// From random bits to floats as the frameworks do it, and how far theirs may lie from ours.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/failure.h"
#include "sampler/generators/generator.h"

namespace vaa {

constexpr double kUlp32 = 0x1p-23;  // of float32, relative, at most
constexpr double kUlp64 = 0x1p-52;

// The nearest float16 or bfloat16, ties to even, as a float; float32 is kept.
inline float rounded(float x, FloatType type) {
  if (type == FloatType::kF32 || !std::isfinite(x) || x == 0) return x;
  int exponent;
  std::frexp(x, &exponent);
  const int digits = type == FloatType::kF16 ? 11 : 8, least = type == FloatType::kF16 ? -24 : -133;
  const double unit = std::ldexp(1.0, std::max(exponent - digits, least));
  const double y = std::nearbyint(x / unit) * unit;
  return type == FloatType::kF16 && std::fabs(y) > 65504 ? std::copysign(INFINITY, x) : static_cast<float>(y);
}

// For a generator that has one width alone.
inline void single_only(FloatType type) {
  if (type != FloatType::kF32) fail(VAA_ERROR_UNSUPPORTED, "type: this generator draws float32 alone");
}

// A double of relative error `error`, cast: the band is 0 where every number within the error is cast alike.
struct Cast {
  float value, band;
};
inline Cast cast(double x, double error, FloatType type) {
  const auto to = [type](double v) { return rounded(static_cast<float>(v), type); };
  return {to(x), to(x + std::fabs(x) * error) - to(x - std::fabs(x) * error)};
}

// -log(-log x) made on a device in float32: each log within 4 ulp, the inner one's error being absolute in the result.
inline double gumbel_band32(double gumbel) { return 4 * kUlp32 * (1 + std::fabs(gumbel)); }
inline double gumbel_band64(double gumbel) { return 4 * kUlp64 * (1 + std::fabs(gumbel)); }

// cuRAND's double of two words, in (0, 1].
inline double curand_double(uint32_t a, uint32_t b) {
  const uint64_t z = (a ^ (uint64_t{b} << 21)) & ((uint64_t{1} << 53) - 1);
  return static_cast<double>(z) * 0x1p-53 + 0x1p-54;
}
// Its float of one.
inline float curand_float(uint32_t word) { return static_cast<float>(word) * 0x1p-32f + 0x1p-33f; }

}  // namespace vaa
