// Results of pure functions on their way to the caller's out_*.
#pragma once
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "base/failure.h"
#include "capi/guard.h"

namespace vaa {

// A result and where the caller wants it.
struct Out {
  Out(double* to, const char* out_name, double value) : real(to), given(to), name(out_name), real_value(value) {}
  Out(int64_t* to, const char* out_name, int64_t value) : wide(to), given(to), name(out_name), whole_value(value) {}
  Out(int32_t* to, const char* out_name, int32_t value) : narrow(to), given(to), name(out_name), whole_value(value) {}

  double* real = nullptr;
  int64_t* wide = nullptr;
  int32_t* narrow = nullptr;
  const void* given;
  const char* name;
  double real_value = 0;
  int64_t whole_value = 0;
};

// All or, where a place is missing, none.
inline void put(std::initializer_list<Out> results) {
  for (const Out& out : results) given(out.given, out.name);
  for (const Out& out : results) {
    if (out.real) *out.real = out.real_value;
    if (out.wide) *out.wide = out.whole_value;
    if (out.narrow) *out.narrow = static_cast<int32_t>(out.whole_value);
  }
}

inline void check_room(const char* name, size_t capacity, size_t need) {
  if (capacity < need)
    fail(VAA_ERROR_CAPACITY, std::string(name) + ": has room for " + std::to_string(capacity) + ", needs " + std::to_string(need));
}

inline void put_list(const std::vector<double>& list, vaa_f64s_out out, size_t* out_size) {
  given(out_size, "out_size");
  check_room("out", out.capacity, list.size());
  if (!list.empty()) std::copy(list.begin(), list.end(), given(out.data, "out.data"));
  *out_size = list.size();
}

}  // namespace vaa
