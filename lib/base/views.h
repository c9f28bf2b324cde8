// Between the views of the border and those of C++.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/failure.h"
#include "vaa/base.h"

namespace vaa {

// What a view of some size points at. NULL is refused and never read, and so is a size that no memory has.
template <class T>
const T* pointed_at(const T* data, size_t size) {
  if (!data) fail(VAA_ERROR_ARGUMENT, "a view of size " + std::to_string(size) + " has NULL as its data");
  if (size > PTRDIFF_MAX / sizeof(T)) fail(VAA_ERROR_ARGUMENT, "a view of size " + std::to_string(size) + " is larger than memory");
  return data;
}

inline std::string_view view(vaa_str s) { return s.size ? std::string_view(pointed_at(s.data, s.size), s.size) : std::string_view(); }
inline std::span<const int32_t> view(vaa_ids s) { return s.size ? std::span<const int32_t>(pointed_at(s.data, s.size), s.size) : std::span<const int32_t>(); }
inline std::span<const int64_t> view(vaa_i64s s) { return s.size ? std::span<const int64_t>(pointed_at(s.data, s.size), s.size) : std::span<const int64_t>(); }
inline std::span<const uint8_t> view(vaa_u8s s) { return s.size ? std::span<const uint8_t>(pointed_at(s.data, s.size), s.size) : std::span<const uint8_t>(); }
inline std::span<const float> view(vaa_f32s s) { return s.size ? std::span<const float>(pointed_at(s.data, s.size), s.size) : std::span<const float>(); }
inline std::span<const double> view(vaa_f64s s) { return s.size ? std::span<const double>(pointed_at(s.data, s.size), s.size) : std::span<const double>(); }

inline vaa_str border(std::string_view s) { return {s.data(), s.size()}; }
inline vaa_ids border(std::span<const int32_t> s) { return {s.data(), s.size()}; }
inline vaa_i64s border(std::span<const int64_t> s) { return {s.data(), s.size()}; }
inline vaa_f64s border(std::span<const double> s) { return {s.data(), s.size()}; }

}  // namespace vaa
