// Which of a pass' forms a row takes: the widest that the processor has, or the one that is asked for.
#pragma once
#include "base/exp_row.h"

namespace vaa {

#if defined(__x86_64__)
inline bool has_avx2(RowIsa isa) { return isa == RowIsa::kAvx2 || (isa == RowIsa::kBest && __builtin_cpu_supports("avx2")); }
inline bool has_avx512(RowIsa isa) { return isa == RowIsa::kAvx512 || (isa == RowIsa::kBest && __builtin_cpu_supports("avx512f")); }
#define VAA_WIDE(isa, avx512, avx2)      \
  if (has_avx512(isa)) return avx512;    \
  if (has_avx2(isa)) return avx2
#else
#define VAA_WIDE(isa, avx512, avx2) static_cast<void>(isa)
#endif

}  // namespace vaa
