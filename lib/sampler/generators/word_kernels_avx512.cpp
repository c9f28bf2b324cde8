// The loops on AVX512.
#include "sampler/generators/word_kernels.h"
#if defined(__x86_64__)
#include <immintrin.h>

#include <cstring>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#else
#pragma GCC target("avx512f")
#endif
#include "sampler/generators/word_lanes.h"

namespace vaa {
namespace {

struct Avx512 {
  static constexpr size_t kBytes = 64;
  template <class W>
  static inline W wide(W a, uint32_t b) {
    return (W)_mm512_maskz_mul_epu32(0xFF, (__m512i)a, _mm512_set1_epi64(b));
  }
};
using Lanes = WordLanes<Avx512>;

}  // namespace

const WordKernels kWordKernelsAvx512 = {Lanes::twist, Lanes::unit24, Lanes::unit32, Lanes::rand32, Lanes::philox1, Lanes::philox4};

}  // namespace vaa
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
