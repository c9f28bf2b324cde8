// exp over rows of logits, and their sum: the same bits with SSE2, AVX2, AVX-512 and NEON (sums and products only, 16 fixed lanes). Memory is the caller's.
#pragma once
#include <cstddef>
#include <cstdint>

namespace vaa {

// Which instructions are used: the best there are, or those that a test asks for.
enum class RowIsa : uint8_t { kBest, kBase, kAvx2, kAvx512 };

// weights[i] = exp(z[i] - max), within 1 ulp, for z[i] <= max (-infinity: 0). Returns their sum with its rounding errors made good: relative 2^-53 and what the weights are off.
double exp_row(const double* z, size_t size, double max, double* weights, RowIsa isa = RowIsa::kBest);
double exp_row(const float* z, size_t size, double max, double* weights, RowIsa isa = RowIsa::kBest);
// The same in float, each weight within 2 ulp; the sum is that of the floats, in double.
double exp_row_float(const float* z, size_t size, float max, float* weights, RowIsa isa = RowIsa::kBest);
// The largest; NaN where there is a NaN.
float max_row(const float* z, size_t size, RowIsa isa = RowIsa::kBest);
// The same, with the numbers as doubles, and whether one is -infinity.
float widen_row(const float* z, size_t size, double* out, bool* masked, RowIsa isa = RowIsa::kBest);

}  // namespace vaa
