// torch's exponential_ in the x86 wheels of 2.0 to 2.6: one draw of the generator seeds MKL's MCG31m1, whose whole stream fills the tensor.
#include <algorithm>
#include <cfloat>
#include <cmath>

#include "base/failure.h"
#include "base/math.h"
#include "sampler/generators/float_noise.h"
#include "sampler/generators/state_bytes.h"
#include "sampler/generators/torch_cpu.h"

namespace vaa {
namespace {

// L'Ecuyer, "Tables of linear congruential generators" (1999).
struct Mcg31 {
  static constexpr uint64_t kModulus = 0x7FFFFFFF;
  explicit Mcg31(uint32_t seed) : x(seed % kModulus) {
    if (x == 0) x = 1;
  }
  uint64_t next() {
    const uint64_t out = x;
    x = x * 1132489760 % kModulus;
    return out;
  }
  double unit() { return static_cast<double>(next()) / kModulus; }
  uint64_t x;
};

// MKL rounds u to float32 before it takes the logarithm, which is within 1 ulp; the tensor's own type is rounded to last.
Cast exponential32(Mcg31* mcg, FloatType type) {
  const double q = -math::log(static_cast<float>(mcg->unit())) + FLT_MIN;
  const float single = static_cast<float>(q);
  const float error = std::nextafterf(single, INFINITY) - single;
  const float value = rounded(single, type);
  return {value, type == FloatType::kF32 ? error : rounded(single + error, type) - rounded(single - error, type)};
}

class TorchCpuMkl : public TorchCpu {
 public:
  using TorchCpu::TorchCpu;
  void exponential(std::span<float> out, std::span<float> band, FloatType type) override {
    if (out.empty()) return;
    Mcg31 mcg(next32());
    for (size_t i = 0; i < out.size(); ++i) {
      const Cast q = exponential32(&mcg, type);
      out[i] = q.value;
      if (!band.empty()) band[i] = q.band;
    }
  }
  void exponential(std::span<double> out, std::span<double> band) override {
    if (out.empty()) return;
    Mcg31 mcg(static_cast<uint32_t>(next64()));
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = -math::log(mcg.unit()) + DBL_MIN;
      if (!band.empty()) band[i] = 4 * kUlp64 * (1 + out[i]);
    }
  }
};

// The stream itself.
class MklMcg31 : public Generator {
 public:
  explicit MklMcg31(const GeneratorOptions& options) : mcg_(static_cast<uint32_t>(options.seed)) {}
  void raw(std::span<uint32_t> out) override {
    for (uint32_t& word : out) word = static_cast<uint32_t>(mcg_.next());
  }
  void uniform(std::span<float> out, FloatType type) override {
    single_only(type);
    for (float& u : out) u = static_cast<float>(mcg_.unit());
  }
  void uniform(std::span<double> out) override {
    for (double& u : out) u = mcg_.unit();
  }
  void save(std::vector<uint8_t>* out) const override { put_number<uint32_t>(out, static_cast<uint32_t>(mcg_.x)); }
  void load(std::span<const uint8_t> state) override {
    check_state_size(state, 4, "the number that comes next");
    const uint32_t x = StateReader{state}.number<uint32_t>();
    if (x == 0 || x >= Mcg31::kModulus) fail(VAA_ERROR_ARGUMENT, "state: is " + std::to_string(x) + ", must be in [1, 2^31 - 2]");
    mcg_.x = x;
  }

 private:
  Mcg31 mcg_;
};

}  // namespace

std::unique_ptr<Generator> make_torch_cpu_mkl(const GeneratorOptions& options) {
  if (options.torch_major != 0 && (options.torch_major != 2 || options.torch_minor > 6))
    fail(VAA_ERROR_OPTION, "vaa_rng_new: torch: is " + std::to_string(options.torch_major) + "." + std::to_string(options.torch_minor) + ", torch_cpu_mkl is that of 2.0 to 2.6: use torch_cpu");
  return std::make_unique<TorchCpuMkl>(options);
}
std::unique_ptr<Generator> make_mkl_mcg31(const GeneratorOptions& options) { return std::make_unique<MklMcg31>(options); }

}  // namespace vaa
