// The loops on what every machine of an architecture has, and the choice between instruction sets.
#include "sampler/generators/word_kernels.h"

#include "sampler/generators/word_lanes.h"
#if defined(__x86_64__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace vaa {
namespace {

struct Base {
  static constexpr size_t kBytes = 16;
  template <class W>
  static inline W wide(W a, uint32_t b) {
#if defined(__x86_64__)
    return (W)_mm_mul_epu32((__m128i)a, _mm_set1_epi64x(b));
#elif defined(__aarch64__)
    return (W)vmull_u32(vmovn_u64((uint64x2_t)a), vdup_n_u32(b));
#else
    return (a & 0xFFFFFFFF) * b;
#endif
  }
};
using Lanes = WordLanes<Base>;

}  // namespace

const WordKernels kWordKernelsBase = {Lanes::twist, Lanes::unit24, Lanes::unit32, Lanes::rand32, Lanes::philox1, Lanes::philox4};

const WordKernels* word_kernels(WordIsa isa) {
#if defined(__x86_64__)
  const bool avx512 = __builtin_cpu_supports("avx512f"), avx2 = __builtin_cpu_supports("avx2");
  if (isa == WordIsa::kAvx512 || (isa == WordIsa::kBest && avx512)) return avx512 ? &kWordKernelsAvx512 : nullptr;
  if (isa == WordIsa::kAvx2 || (isa == WordIsa::kBest && avx2)) return avx2 ? &kWordKernelsAvx2 : nullptr;
#endif
  return isa == WordIsa::kBest || isa == WordIsa::kBase ? &kWordKernelsBase : nullptr;
}

}  // namespace vaa
