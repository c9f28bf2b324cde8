// Triton's random numbers, and the Gumbel noise that vLLM's second model runner makes of them.
#include <algorithm>
#include <cmath>

#include "base/failure.h"
#include "base/math.h"
#include "base/random.h"
#include "sampler/generators/float_noise.h"
#include "sampler/generators/philox64.h"
#include "sampler/generators/stateless.h"

namespace vaa {
namespace {

std::array<uint32_t, 4> block32(uint64_t seed, uint64_t offset) {
  return philox4x32({static_cast<uint32_t>(offset), static_cast<uint32_t>(offset >> 32), 0, 0}, {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)});
}
// What an int64 offset gives: words of 64 bits in older versions, of 32 in newer ones.
std::array<uint64_t, 4> block_of(bool old, uint64_t seed, uint64_t offset) {
  if (old) return philox4x64({offset, 0, 0, 0}, {seed, 0});
  const auto words = block32(seed, offset);
  return {words[0], words[1], words[2], words[3]};
}
// tl.rand of a word: [0, 1), the upper half of the words folded onto the lower.
float rand_of(uint32_t word) {
  const auto x = static_cast<int32_t>(word);
  return static_cast<float>(x < 0 ? -x - 1 : x) * 4.6566127342e-10f;
}
uint64_t int32_offset(int64_t position) {
  if (position < INT32_MIN || position > INT32_MAX) fail(VAA_ERROR_ARGUMENT, "position: is " + std::to_string(position) + ", must be an int32 for this variant");
  return static_cast<uint32_t>(position);
}

// tl.randint4x(seed, position): the column is the word's index.
class Triton : public Generator {
 public:
  explicit Triton(const GeneratorOptions& options)
      : seed_(options.seed), wide_(options.variant == "offset64"), old_(options.triton == "old") {}
  void raw_at(StreamPlace place, std::span<uint64_t> out) override {
    const auto words = wide_ ? block_of(old_, seed_, static_cast<uint64_t>(place.position)) : block_of(false, seed_, int32_offset(place.position));
    for (size_t i = 0; i < out.size(); ++i) {
      if (place.columns[i] < 0 || place.columns[i] > 3) fail(VAA_ERROR_ARGUMENT, "columns[" + std::to_string(i) + "]: is " + std::to_string(place.columns[i]) + ", must be a word of 0 to 3");
      out[i] = words[static_cast<size_t>(place.columns[i])];
    }
  }
  double uniform_of(uint64_t raw) const override {
    if (wide_ && old_) fail(VAA_ERROR_UNSUPPORTED, "triton: how the older tl.rand makes a float of 64 bits is not established: use the variant offset32");
    return rand_of(static_cast<uint32_t>(raw));
  }

 private:
  uint64_t seed_;
  bool wide_, old_;
};

enum class Form : uint8_t { kLog1p, kFloat32, kFloat64, kAscend };

class VllmV2 : public Generator {
 public:
  explicit VllmV2(const GeneratorOptions& options) : seed_(options.seed), old_(options.triton == "old") {
    const std::string& name = options.variant;
    form_ = name == "log1p" ? Form::kLog1p : name == "float32" ? Form::kFloat32 : name == "float64" ? Form::kFloat64 : Form::kAscend;
  }
  void raw_at(StreamPlace place, std::span<uint64_t> out) override {
    const uint64_t key = form_ == Form::kAscend ? block32(seed_, static_cast<uint32_t>(place.position))[0] : block_of(old_, seed_, static_cast<uint64_t>(place.position))[0];
    for (size_t i = 0; i < out.size(); ++i) {
      const auto words = block32(key, static_cast<uint32_t>(place.columns[i]));
      out[i] = form_ == Form::kFloat64 ? uint64_t{words[1]} << 32 | words[0] : words[0];
    }
  }
  double uniform_of(uint64_t raw) const override { return form_ == Form::kFloat64 ? static_cast<double>(raw) * 0x1p-64 : rand_of(static_cast<uint32_t>(raw)); }
  Estimate gumbel_of_uniform(double u) const override {
    switch (form_) {
      case Form::kLog1p: return single(-math::log(-math::log1p(-std::max(u, kLeast))));
      case Form::kFloat32: return single(-math::log(-math::log(std::max(u, kLeast))));
      case Form::kFloat64: {
        const double g = -math::log(-math::log(std::max(u, 0x1p-1022)));
        return {g, gumbel_band64(g)};
      }
      case Form::kAscend: break;
    }
    const float x = static_cast<float>(u) + 1e-20f;
    return single(-math::log(static_cast<double>(static_cast<float>(-math::log(x)) + 1e-20f)));
  }

 private:
  static constexpr double kLeast = 4.6566127342e-10f;
  static Estimate single(double g) { return {g, gumbel_band32(g)}; }
  uint64_t seed_;
  bool old_;
  Form form_;
};

}  // namespace

std::unique_ptr<Generator> make_triton(const GeneratorOptions& options) { return std::make_unique<Triton>(options); }
std::unique_ptr<Generator> make_vllm_v2(const GeneratorOptions& options) { return std::make_unique<VllmV2>(options); }

}  // namespace vaa
