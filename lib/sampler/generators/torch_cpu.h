// torch's CPU generator.
#pragma once
#include <optional>

#include "sampler/generators/generator.h"
#include "sampler/generators/mt19937.h"

namespace vaa {

class TorchCpu : public Generator {
 public:
  explicit TorchCpu(const GeneratorOptions& options);
  void raw(std::span<uint32_t> out) override { mt_.fill(out); }
  void raw(std::span<uint64_t> out) override;
  void uniform(std::span<float> out, FloatType type) override;
  void uniform(std::span<double> out) override;
  void exponential(std::span<float> out, std::span<float> band, FloatType type) override;
  void exponential(std::span<double> out, std::span<double> band) override;
  void normal(std::span<float> out) override;
  void normal(std::span<double> out) override;
  void integers(int64_t low, uint64_t range, std::span<int64_t> out) override;
  void skip(uint64_t units) override { mt_.discard(units); }
  void save(std::vector<uint8_t>* out) const override;
  void load(std::span<const uint8_t> state) override;

 protected:
  uint32_t next32() { return mt_.next(); }
  uint64_t next64() {
    const uint64_t high = mt_.next();
    return high << 32 | mt_.next();
  }

 private:
  static double unit53(uint64_t high, uint32_t low) { return static_cast<double>(static_cast<int64_t>((high << 32 | low) & ((uint64_t{1} << 53) - 1))) * 0x1p-53; }
  double next_double() {
    const uint32_t high = mt_.next();
    return unit53(high, mt_.next());
  }
  double next_normal();
  bool since(int major, int minor) const { return torch_major_ > major || (torch_major_ == major && torch_minor_ >= minor); }
  template <class T>
  void normals(std::span<T> out);

  Mt19937 mt_;
  const WordKernels* kernels_ = word_kernels();
  uint64_t seed_;
  int torch_major_, torch_minor_;
  std::optional<double> normal_;        // the second of a pair, kept for the next call
  std::vector<uint8_t> float_normal_;   // eight bytes of a state that was loaded: torch's kernels do not use them
};

std::unique_ptr<Generator> make_torch_cpu(const GeneratorOptions& options);
std::unique_ptr<Generator> make_torch_cpu_mkl(const GeneratorOptions& options);
std::unique_ptr<Generator> make_mkl_mcg31(const GeneratorOptions& options);

}  // namespace vaa
