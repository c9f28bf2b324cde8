#include "base/exp_row.h"

#include "base/exp_lanes.h"
#include "base/row_isa.h"

namespace vaa {
namespace {

using Base = exp_lanes::Steps<exp_lanes::Narrow>;
#if defined(__x86_64__)
using Avx2 = exp_lanes::Steps<exp_lanes::Wide>;
using Avx512 = exp_lanes::Steps<exp_lanes::Widest>;
[[gnu::target("avx2")]] double exp_avx2(const double* z, size_t size, double max, double* weights) { return Avx2::exp_all(z, size, max, weights); }
[[gnu::target("avx2")]] double exp_avx2(const float* z, size_t size, double max, double* weights) { return Avx2::exp_all(z, size, max, weights); }
[[gnu::target("avx2")]] double exp_float_avx2(const float* z, size_t size, float max, float* weights) { return Avx2::exp_all_float(z, size, max, weights); }
[[gnu::target("avx2")]] float max_avx2(const float* z, size_t size) { return Avx2::max_all(z, size); }
[[gnu::target("avx2")]] float widen_avx2(const float* z, size_t size, double* out, bool* masked) { return Avx2::widen_all(z, size, out, masked); }
[[gnu::target("avx512f")]] double exp_avx512(const double* z, size_t size, double max, double* weights) { return Avx512::exp_all(z, size, max, weights); }
[[gnu::target("avx512f")]] double exp_avx512(const float* z, size_t size, double max, double* weights) { return Avx512::exp_all(z, size, max, weights); }
[[gnu::target("avx512f")]] double exp_float_avx512(const float* z, size_t size, float max, float* weights) { return Avx512::exp_all_float(z, size, max, weights); }
#endif

}  // namespace

double exp_row(const double* z, size_t size, double max, double* weights, RowIsa isa) {
  VAA_WIDE(isa, exp_avx512(z, size, max, weights), exp_avx2(z, size, max, weights));
  return Base::exp_all(z, size, max, weights);
}

double exp_row(const float* z, size_t size, double max, double* weights, RowIsa isa) {
  VAA_WIDE(isa, exp_avx512(z, size, max, weights), exp_avx2(z, size, max, weights));
  return Base::exp_all(z, size, max, weights);
}

double exp_row_float(const float* z, size_t size, float max, float* weights, RowIsa isa) {
  VAA_WIDE(isa, exp_float_avx512(z, size, max, weights), exp_float_avx2(z, size, max, weights));
  return Base::exp_all_float(z, size, max, weights);
}

float max_row(const float* z, size_t size, RowIsa isa) {
  VAA_WIDE(isa, max_avx2(z, size), max_avx2(z, size));  // as fast as memory
  return Base::max_all(z, size);
}

float widen_row(const float* z, size_t size, double* out, bool* masked, RowIsa isa) {
  VAA_WIDE(isa, widen_avx2(z, size, out, masked), widen_avx2(z, size, out, masked));
  return Base::widen_all(z, size, out, masked);
}


}  // namespace vaa
