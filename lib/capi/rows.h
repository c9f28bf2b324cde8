// Rows of the caller's, and room for results.
#pragma once
#include <span>
#include <string>

#include "base/failure.h"
#include "capi/guard.h"
#include "sampler/sampler.h"

namespace vaa {

// A view of rows, or a failure that names it.
template <class Value, class Rows>
Matrix<Value> matrix(const Rows& rows, const char* name) {
  if (rows.rows == 0) return {};
  if (rows.stride < rows.cols) fail(VAA_ERROR_ARGUMENT, std::string(name) + ": stride is " + std::to_string(rows.stride) + ", must be at least cols, " + std::to_string(rows.cols));
  if (rows.stride != 0 && rows.rows > PTRDIFF_MAX / sizeof(Value) / rows.stride) fail(VAA_ERROR_ARGUMENT, std::string(name) + ": is larger than memory");
  if (rows.cols != 0) given(rows.data, name);
  return {rows.data, rows.rows, rows.cols, rows.stride};
}

template <class Value, class Out>
std::span<Value> room(const Out& out, size_t need, const char* name) {
  if (out.capacity < need) fail(VAA_ERROR_CAPACITY, std::string(name) + ": has room for " + std::to_string(out.capacity) + ", needs " + std::to_string(need));
  if (need != 0) given(out.data, name);
  return {out.data, need};
}

}  // namespace vaa
