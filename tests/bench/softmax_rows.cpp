// What sampler_vs_torch.py times of the library's insides: softmax of a row of floats, by floats with a sum in double, and by doubles.
#include "base/exp_row.h"

#if defined(__x86_64__)
#define VAA_CLONES [[gnu::target_clones("avx512f", "avx2", "default")]]
#else
#define VAA_CLONES
#endif

namespace {

template <class Value>
[[gnu::always_inline]] inline void scale(Value* row, size_t size, Value share) {
  for (size_t i = 0; i < size; ++i) row[i] *= share;
}
VAA_CLONES [[gnu::optimize("O3")]] void scale_floats(float* row, size_t size, float share) { scale(row, size, share); }
VAA_CLONES [[gnu::optimize("O3")]] void scale_doubles(double* row, size_t size, double share) { scale(row, size, share); }

}  // namespace

extern "C" {

[[gnu::visibility("default")]] void softmax_float(const float* z, size_t size, float* out) {
  const float share = static_cast<float>(1 / vaa::exp_row_float(z, size, vaa::max_row(z, size), out));
  scale_floats(out, size, share);
}

[[gnu::visibility("default")]] void softmax_double(const float* z, size_t size, double* out) {
  const double share = 1 / vaa::exp_row(z, size, static_cast<double>(vaa::max_row(z, size)), out);
  scale_doubles(out, size, share);
}

}
