// The inner loops of the generators, with the same bits on every instruction set.
#pragma once
#include <cstddef>
#include <cstdint>

namespace vaa {

enum class WordIsa : uint8_t { kBest, kBase, kAvx2, kAvx512 };

struct WordKernels {
  // MT19937: the next 624 words of state, and what they give out.
  void (*twist)(uint32_t* state, uint32_t* out);
  // (word mod 2^24) 2^-24, in [0, 1).
  void (*unit24)(const uint32_t* words, size_t n, float* out);
  // fl(fl(word) 2^-32 + 2^-33), in (0, 1]: cuRAND's uniform.
  void (*unit32)(const uint32_t* words, size_t n, float* out);
  // The same with 0 for 1: torch.rand on CUDA.
  void (*rand32)(const uint32_t* words, size_t n, float* out);
  // Philox4x32-10 of the counters (block, thread + i), i in [0, n): word k of block i to planes[k][i]. philox1 gives the first word alone.
  void (*philox1)(uint64_t key, uint64_t block, uint32_t thread, size_t n, uint32_t* out);
  void (*philox4)(uint64_t key, uint64_t block, uint32_t thread, size_t n, uint32_t* const* planes);
};

// Those of the best instruction set that the machine has, or of the one that a test asks for (null where the machine lacks it).
const WordKernels* word_kernels(WordIsa isa = WordIsa::kBest);

// By instruction set.
extern const WordKernels kWordKernelsBase;
#if defined(__x86_64__)
extern const WordKernels kWordKernelsAvx2, kWordKernelsAvx512;
#endif

}  // namespace vaa
