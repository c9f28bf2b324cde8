// Noise from hashes: SGLang's two and that of vLLM's CPU backend; and TensorFlow's stateless uniform, which torchair lowers to.
#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>

#include "base/failure.h"
#include "base/math.h"
#include "base/random.h"
#include "sampler/generators/float_noise.h"
#include "sampler/generators/stateless.h"

namespace vaa {
namespace {

uint32_t low(uint64_t x) { return static_cast<uint32_t>(x); }
uint32_t high(uint64_t x) { return static_cast<uint32_t>(x >> 32); }

// MurmurHash3_x86_32 (Appleby) over seed, position and column.
class Sglang : public Generator {
 public:
  explicit Sglang(const GeneratorOptions& options) : seed_(options.seed), clamped_(options.variant == "clamped") {}
  void raw_at(StreamPlace place, std::span<uint64_t> out) override {
    const uint32_t row = mixed(mixed(mixed(0, low(seed_)), high(seed_)), low(static_cast<uint64_t>(place.position)));
    for (size_t i = 0; i < out.size(); ++i) {
      uint32_t h = mixed(row, static_cast<uint32_t>(place.columns[i])) ^ 16;
      h = (h ^ h >> 16) * 0x85EBCA6B;
      h = (h ^ h >> 13) * 0xC2B2AE35;
      out[i] = h ^ h >> 16;
    }
  }
  double uniform_of(uint64_t raw) const override { return static_cast<double>(raw) / 4294967295.0; }
  Estimate gumbel_of_uniform(double u) const override {
    const double log_x = std::max(math::log(u), -DBL_MAX);
    const double g = -math::log(-(clamped_ ? std::min(log_x, -0x1p-32) : log_x));
    return {g, std::isfinite(g) ? gumbel_band64(g) : 0};
  }

 private:
  static uint32_t mixed(uint32_t h, uint32_t k) { return std::rotl(h ^ std::rotl(k * 0xCC9E2D51, 15) * 0x1B873593, 13) * 5 + 0xE6546B64; }
  uint64_t seed_;
  bool clamped_;
};

class SglangLegacy : public Generator {
 public:
  explicit SglangLegacy(const GeneratorOptions& options) : seed_(options.seed) {}
  void raw_at(StreamPlace place, std::span<uint64_t> out) override {
    const uint64_t row = ((seed_ * 19349663) ^ (static_cast<uint64_t>(place.position) * 73856093)) * 8589934591;
    for (size_t i = 0; i < out.size(); ++i) out[i] = (row ^ (static_cast<uint64_t>(int64_t{place.columns[i]}) * 479001599)) & 0xFFFFFF;
  }
  double uniform_of(uint64_t raw) const override { return static_cast<double>(raw) * 0x1p-24; }
  Estimate gumbel_of_uniform(double u) const override {
    const float x = static_cast<float>(u) + 1e-9f;
    const double g = -math::log(static_cast<double>(static_cast<float>(-math::log(x)) + 1e-9f));
    return {g, gumbel_band32(g)};
  }

 private:
  uint64_t seed_;
};

// SplitMix64's finaliser (Steele, Lea and Flood 2014) of the row's seed and the token.
class VllmCpu : public Generator {
 public:
  explicit VllmCpu(const GeneratorOptions& options) : key_(final(options.seed)) {}
  void raw_at(StreamPlace place, std::span<uint64_t> out) override {
    if (place.position != 0) fail(VAA_ERROR_ARGUMENT, "position: is " + std::to_string(place.position) + ", must be 0: a row of vllm_cpu has a seed of its own, drawn by the request's torch_cpu generator");
    for (size_t i = 0; i < out.size(); ++i) out[i] = final(key_ + (static_cast<uint64_t>(int64_t{place.columns[i]}) + 1) * 0x9E3779B97F4A7C15) >> 11;
  }
  double uniform_of(uint64_t raw) const override { return (static_cast<double>(raw) + 0.5) * 0x1p-53; }
  Estimate gumbel_of_uniform(double u) const override {
    const double g = -math::log(-math::log(u));
    return {g, std::isfinite(g) ? gumbel_band64(g) : 0};
  }

 private:
  static uint64_t final(uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
  }
  uint64_t key_;
};

// StatelessRandomUniformV2 with key [seed] and counter [0, position].
class TfPhilox : public Generator {
 public:
  explicit TfPhilox(const GeneratorOptions& options) : seed_(options.seed) {}
  void raw_at(StreamPlace place, std::span<uint64_t> out) override {
    const auto offset = static_cast<uint64_t>(place.position);
    for (size_t i = 0; i < out.size(); ++i) {
      if (place.columns[i] < 0) fail(VAA_ERROR_ARGUMENT, "columns[" + std::to_string(i) + "]: is " + std::to_string(place.columns[i]) + ", must be at least 0");
      const auto element = static_cast<uint32_t>(place.columns[i]);
      out[i] = philox4x32({element / 4, 0, low(offset), high(offset)}, {low(seed_), high(seed_)})[element % 4];
    }
  }
  double uniform_of(uint64_t raw) const override { return std::bit_cast<float>((low(raw) & 0x7FFFFF) | 0x3F800000) - 1.0f; }

 private:
  uint64_t seed_;
};

}  // namespace

std::unique_ptr<Generator> make_sglang(const GeneratorOptions& options) { return std::make_unique<Sglang>(options); }
std::unique_ptr<Generator> make_sglang_legacy(const GeneratorOptions& options) { return std::make_unique<SglangLegacy>(options); }
std::unique_ptr<Generator> make_vllm_cpu(const GeneratorOptions& options) { return std::make_unique<VllmCpu>(options); }
std::unique_ptr<Generator> make_tf_philox(const GeneratorOptions& options) { return std::make_unique<TfPhilox>(options); }

}  // namespace vaa
