// Between the views of the border and those of C++.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "vaa/base.h"

namespace vaa {

inline std::string_view view(vaa_str s) { return s.size ? std::string_view(s.data, s.size) : std::string_view(); }
inline std::span<const int32_t> view(vaa_ids s) { return s.size ? std::span<const int32_t>(s.data, s.size) : std::span<const int32_t>(); }
inline std::span<const int64_t> view(vaa_i64s s) { return s.size ? std::span<const int64_t>(s.data, s.size) : std::span<const int64_t>(); }
inline std::span<const uint8_t> view(vaa_u8s s) { return s.size ? std::span<const uint8_t>(s.data, s.size) : std::span<const uint8_t>(); }
inline std::span<const double> view(vaa_f64s s) { return s.size ? std::span<const double>(s.data, s.size) : std::span<const double>(); }

inline vaa_str border(std::string_view s) { return {s.data(), s.size()}; }
inline vaa_ids border(std::span<const int32_t> s) { return {s.data(), s.size()}; }
inline vaa_i64s border(std::span<const int64_t> s) { return {s.data(), s.size()}; }
inline vaa_f64s border(std::span<const double> s) { return {s.data(), s.size()}; }

}  // namespace vaa
