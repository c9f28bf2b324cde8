// Fields of a sample as values: what is not recorded is empty, or the fallback.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "capture/owned.h"

namespace vaa::capture {

inline std::string text_field(const vaa_sample* sample, vaa_field field) {
  vaa_str value{"", 0};
  if (vaa_sample_has(sample, field)) must([&](vaa_error** err) { return vaa_sample_str(sample, field, &value, err); });
  return std::string(view(value));
}
inline int64_t integer_field(const vaa_sample* sample, vaa_field field, int64_t fallback) {
  int64_t value = fallback;
  if (vaa_sample_has(sample, field)) must([&](vaa_error** err) { return vaa_sample_i64(sample, field, &value, err); });
  return value;
}
inline std::vector<int32_t> ids_field(const vaa_sample* sample, vaa_field field) {
  vaa_ids value{nullptr, 0};
  if (vaa_sample_has(sample, field)) must([&](vaa_error** err) { return vaa_sample_ids(sample, field, &value, err); });
  return {value.data, value.data + value.size};
}
inline std::vector<double> reals_field(const vaa_sample* sample, vaa_field field) {
  vaa_f64s value{nullptr, 0};
  if (vaa_sample_has(sample, field)) must([&](vaa_error** err) { return vaa_sample_f64s(sample, field, &value, err); });
  return {value.data, value.data + value.size};
}
inline std::vector<int64_t> integers_field(const vaa_sample* sample, vaa_field field) {
  vaa_i64s value{nullptr, 0};
  if (vaa_sample_has(sample, field)) must([&](vaa_error** err) { return vaa_sample_i64s(sample, field, &value, err); });
  return {value.data, value.data + value.size};
}
inline void set_text(vaa_sample* sample, vaa_field field, std::string_view value) {
  must([&](vaa_error** err) { return vaa_sample_set_str(sample, field, border(value), err); });
}
inline void set_integer(vaa_sample* sample, vaa_field field, int64_t value) {
  must([&](vaa_error** err) { return vaa_sample_set_i64(sample, field, value, err); });
}

}  // namespace vaa::capture
