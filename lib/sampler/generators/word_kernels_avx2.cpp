// The loops on AVX2.
#include "sampler/generators/word_kernels.h"
#if defined(__x86_64__)
#include <immintrin.h>

#include <cstring>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#include "sampler/generators/word_lanes.h"

namespace vaa {
namespace {

struct Avx2 {
  static constexpr size_t kBytes = 32;
  template <class W>
  static inline W wide(W a, uint32_t b) {
    return (W)_mm256_mul_epu32((__m256i)a, _mm256_set1_epi64x(b));
  }
};
using Lanes = WordLanes<Avx2>;

}  // namespace

const WordKernels kWordKernelsAvx2 = {Lanes::twist, Lanes::unit24, Lanes::unit32, Lanes::rand32, Lanes::philox1, Lanes::philox4};

}  // namespace vaa
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
