// torch's CUDA generator, and what shares its words.
#pragma once
#include "sampler/generators/generator.h"
#include "sampler/generators/word_kernels.h"

namespace vaa {

// Philox4x32-10: the key is the seed, counter words 0 and 1 are the offset / 4 and the call within the kernel, words 2 and 3 the thread. By place the position is an offset
// (relative to the generator's), the column a subsequence: the word that curand_init(seed, column, offset + position) gives first.
class TorchCuda : public Generator {
 public:
  explicit TorchCuda(const GeneratorOptions& options);
  void raw(std::span<uint32_t> out) override;
  void raw(std::span<uint64_t> out) override;
  void uniform(std::span<float> out, FloatType type) override;
  void uniform(std::span<double> out) override;
  void exponential(std::span<float> out, std::span<float> band, FloatType type) override;
  void exponential(std::span<double> out, std::span<double> band) override;
  void integers(int64_t low, uint64_t range, std::span<int64_t> out) override;
  void skip(uint64_t units) override;
  void save(std::vector<uint8_t>* out) const override;
  void load(std::span<const uint8_t> state) override;
  void raw_at(StreamPlace place, std::span<uint64_t> out) override;
  double uniform_of(uint64_t raw) const override;

 private:
  // take(at, count, words) for runs of elements; words are kWords planes (1 or 2 an element). Moves the offset.
  template <size_t kWords, class Take>
  void sweep(size_t n, Take&& take);

  const WordKernels* kernels_ = word_kernels();
  uint64_t seed_, offset_ = 0;
  uint64_t most_threads_;  // of a kernel; 0: not known
};

std::unique_ptr<Generator> make_torch_cuda(const GeneratorOptions& options);
std::unique_ptr<Generator> make_npu_sim78(const GeneratorOptions& options);
std::unique_ptr<Generator> make_flashinfer(const GeneratorOptions& options);

}  // namespace vaa
