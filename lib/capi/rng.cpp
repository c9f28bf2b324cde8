// include/vaa/rng.h
#include "vaa/rng.h"

#include "base/views.h"
#include "capi/guard.h"
#include "capi/handles.h"

using vaa::Drawable;
using vaa::given;
using vaa::guard;

namespace {

constexpr size_t kMost = size_t{1} << 32;

// All of an output buffer.
template <class T>
std::span<T> whole(T* data, size_t capacity, const char* name) {
  if (capacity > kMost) vaa::fail(VAA_ERROR_ARGUMENT, std::string(name) + ": has room for " + std::to_string(capacity) + ", at most " + std::to_string(kMost) + " are drawn at once");
  return capacity ? std::span<T>(given(data, name), capacity) : std::span<T>();
}
template <class T>
std::span<T> band_of(T* data, size_t capacity, size_t count) {
  if (capacity != 0 && capacity != count) vaa::fail(VAA_ERROR_ARGUMENT, "band: has room for " + std::to_string(capacity) + ", must be " + std::to_string(count) + " as out has, or 0");
  return whole(data, capacity, "band");
}
// Columns beside an output buffer.
std::span<const int32_t> columns_of(vaa_ids columns, size_t count) {
  if (columns.size != count) vaa::fail(VAA_ERROR_ARGUMENT, "out: has room for " + std::to_string(count) + ", must be " + std::to_string(columns.size) + " as there are columns");
  return vaa::view(columns);
}
vaa::Generator& of(vaa_rng* rng, Drawable draw) { return given(rng, "rng")->rng.with(draw); }
vaa::FloatType type_of(int32_t type) {
  if (type < VAA_RNG_F32 || type > VAA_RNG_BF16) vaa::fail(VAA_ERROR_ARGUMENT, "type: is " + std::to_string(type) + ", must be a VAA_RNG_*: 0, 1 or 2");
  return static_cast<vaa::FloatType>(type);
}

template <class Rows>
void multinomial(vaa_rng* rng, Rows probs, int32_t replacement, vaa_i64s_out out) {
  using T = std::remove_const_t<std::remove_pointer_t<decltype(probs.data)>>;
  given(rng, "rng");
  if (replacement != 0 && replacement != 1) vaa::fail(VAA_ERROR_ARGUMENT, "replacement: is " + std::to_string(replacement) + ", must be 0 or 1");
  if (probs.rows == 0 || probs.cols == 0) vaa::fail(VAA_ERROR_ARGUMENT, "probs: is " + std::to_string(probs.rows) + " by " + std::to_string(probs.cols) + ", must have a row and a column");
  if (probs.stride < probs.cols || probs.rows > kMost / probs.cols || probs.rows > kMost / probs.stride)
    vaa::fail(VAA_ERROR_ARGUMENT, "probs: is " + std::to_string(probs.rows) + " by " + std::to_string(probs.cols) + " with stride " + std::to_string(probs.stride) + ", which is no matrix of at most 2^32 numbers");
  if (out.capacity == 0 || out.capacity % probs.rows != 0)
    vaa::fail(VAA_ERROR_ARGUMENT, "out: has room for " + std::to_string(out.capacity) + ", must be a multiple of the " + std::to_string(probs.rows) + " rows");
  const size_t samples = out.capacity / probs.rows;
  if (!replacement && samples > probs.cols) vaa::fail(VAA_ERROR_ARGUMENT, "out: " + std::to_string(samples) + " samples without replacement of " + std::to_string(probs.cols));
  const T* data = given(probs.data, "probs.data");
  std::vector<T> packed;
  if (probs.stride != probs.cols) {
    for (size_t row = 0; row < probs.rows; ++row) packed.insert(packed.end(), data + row * probs.stride, data + row * probs.stride + probs.cols);
    data = packed.data();
  }
  rng->rng.multinomial(std::span<const T>(data, probs.rows * probs.cols), probs.rows, probs.cols, replacement == 1, samples, whole(out.data, out.capacity, "out"));
}

}  // namespace

extern "C" {

vaa_status vaa_rng_new(vaa_str options, vaa_rng** out_rng, vaa_error** err) {
  return guard(err, [&] {
    given(out_rng, "out_rng");
    *out_rng = new vaa_rng{vaa::Rng(vaa::view(options)), {}};
  });
}
vaa_status vaa_rng_generators(vaa_text** out_text, vaa_error** err) {
  return guard(err, [&] {
    given(out_text, "out_text");
    *out_text = new vaa_text{vaa::generators_json()};
  });
}

vaa_status vaa_rng_raw_u32(vaa_rng* rng, vaa_ids_out out, vaa_error** err) {
  return guard(err, [&] { of(rng, Drawable::kRaw32).raw(whole(reinterpret_cast<uint32_t*>(out.data), out.capacity, "out")); });
}
vaa_status vaa_rng_raw_u64(vaa_rng* rng, vaa_i64s_out out, vaa_error** err) {
  return guard(err, [&] { of(rng, Drawable::kRaw64).raw(whole(reinterpret_cast<uint64_t*>(out.data), out.capacity, "out")); });
}
vaa_status vaa_rng_uniform_f32(vaa_rng* rng, int32_t type, vaa_f32s_out out, vaa_error** err) {
  return guard(err, [&] { of(rng, Drawable::kUniform32).uniform(whole(out.data, out.capacity, "out"), type_of(type)); });
}
vaa_status vaa_rng_uniform_f64(vaa_rng* rng, vaa_f64s_out out, vaa_error** err) {
  return guard(err, [&] { of(rng, Drawable::kUniform64).uniform(whole(out.data, out.capacity, "out")); });
}
vaa_status vaa_rng_exponential_f32(vaa_rng* rng, int32_t type, vaa_f32s_out out, vaa_f32s_out band, vaa_error** err) {
  return guard(err, [&] { of(rng, Drawable::kExponential32).exponential(whole(out.data, out.capacity, "out"), band_of(band.data, band.capacity, out.capacity), type_of(type)); });
}
vaa_status vaa_rng_exponential_f64(vaa_rng* rng, vaa_f64s_out out, vaa_f64s_out band, vaa_error** err) {
  return guard(err, [&] { of(rng, Drawable::kExponential64).exponential(whole(out.data, out.capacity, "out"), band_of(band.data, band.capacity, out.capacity)); });
}
vaa_status vaa_rng_normal_f32(vaa_rng* rng, vaa_f32s_out out, vaa_error** err) {
  return guard(err, [&] { of(rng, Drawable::kNormal).normal(whole(out.data, out.capacity, "out")); });
}
vaa_status vaa_rng_normal_f64(vaa_rng* rng, vaa_f64s_out out, vaa_error** err) {
  return guard(err, [&] { of(rng, Drawable::kNormal).normal(whole(out.data, out.capacity, "out")); });
}
vaa_status vaa_rng_randint(vaa_rng* rng, int64_t low, int64_t high, vaa_i64s_out out, vaa_error** err) {
  return guard(err, [&] {
    vaa::Generator& generator = of(rng, Drawable::kRandint);
    if (low >= high) vaa::fail(VAA_ERROR_ARGUMENT, "high: is " + std::to_string(high) + ", must be above low, which is " + std::to_string(low));
    generator.integers(low, static_cast<uint64_t>(high) - static_cast<uint64_t>(low), whole(out.data, out.capacity, "out"));
  });
}
vaa_status vaa_rng_multinomial_f32(vaa_rng* rng, vaa_f32_rows probs, int32_t replacement, vaa_i64s_out out, vaa_error** err) {
  return guard(err, [&] { multinomial(rng, probs, replacement, out); });
}
vaa_status vaa_rng_multinomial_f64(vaa_rng* rng, vaa_f64_rows probs, int32_t replacement, vaa_i64s_out out, vaa_error** err) {
  return guard(err, [&] { multinomial(rng, probs, replacement, out); });
}
vaa_status vaa_rng_skip(vaa_rng* rng, uint64_t units, vaa_error** err) {
  return guard(err, [&] { of(rng, Drawable::kSkip).skip(units); });
}
vaa_status vaa_rng_save(vaa_rng* rng, vaa_u8s* out_state, vaa_error** err) {
  return guard(err, [&] {
    const vaa::Generator& generator = of(rng, Drawable::kState);
    given(out_state, "out_state");
    rng->state.clear();
    generator.save(&rng->state);
    *out_state = {rng->state.data(), rng->state.size()};
  });
}
vaa_status vaa_rng_load(vaa_rng* rng, vaa_u8s state, vaa_error** err) {
  return guard(err, [&] { of(rng, Drawable::kState).load(vaa::view(state)); });
}

vaa_status vaa_rng_raw_at(vaa_rng* rng, int64_t position, vaa_ids columns, vaa_i64s_out out, vaa_error** err) {
  return guard(err, [&] { of(rng, Drawable::kRawAt).raw_at({position, columns_of(columns, out.capacity)}, whole(reinterpret_cast<uint64_t*>(out.data), out.capacity, "out")); });
}
vaa_status vaa_rng_uniform_at(vaa_rng* rng, int64_t position, vaa_ids columns, vaa_f64s_out out, vaa_error** err) {
  return guard(err, [&] { of(rng, Drawable::kUniformAt).uniform_at({position, columns_of(columns, out.capacity)}, whole(out.data, out.capacity, "out")); });
}
vaa_status vaa_rng_gumbel_at(vaa_rng* rng, int64_t position, vaa_ids columns, vaa_f64s_out out, vaa_f64s_out band, vaa_error** err) {
  return guard(err, [&] {
    of(rng, Drawable::kGumbelAt).gumbel_at({position, columns_of(columns, out.capacity)}, whole(out.data, out.capacity, "out"), band_of(band.data, band.capacity, out.capacity));
  });
}
vaa_status vaa_rng_gumbel_of(vaa_rng* rng, vaa_f64s uniforms, vaa_f64s_out out, vaa_f64s_out band, vaa_error** err) {
  return guard(err, [&] {
    const vaa::Generator& generator = of(rng, Drawable::kGumbelOf);
    if (uniforms.size != out.capacity) vaa::fail(VAA_ERROR_ARGUMENT, "out: has room for " + std::to_string(out.capacity) + ", must be " + std::to_string(uniforms.size) + " as there are uniforms");
    const std::span<const double> from = vaa::view(uniforms);
    const std::span<double> to = whole(out.data, out.capacity, "out"), within = band_of(band.data, band.capacity, out.capacity);
    for (size_t i = 0; i < from.size(); ++i) {
      if (!(from[i] >= 0 && from[i] <= 1)) vaa::fail(VAA_ERROR_ARGUMENT, "uniforms[" + std::to_string(i) + "]: is " + std::to_string(from[i]) + ", must be at least 0, at most 1");
      const vaa::Estimate noise = generator.gumbel_of_uniform(from[i]);
      to[i] = noise.value;
      if (!within.empty()) within[i] = noise.band;
    }
  });
}
vaa_status vaa_rng_gumbel_row(vaa_rng* rng, int64_t position, vaa_f64s_out out, vaa_f64s_out band, vaa_error** err) {
  return guard(err, [&] {
    vaa::Generator& generator = of(rng, Drawable::kGumbelAt);
    if (out.capacity > INT32_MAX) vaa::fail(VAA_ERROR_ARGUMENT, "out: has room for " + std::to_string(out.capacity) + ", a row has at most 2147483647 columns");
    generator.gumbel_row(position, whole(out.data, out.capacity, "out"), band_of(band.data, band.capacity, out.capacity));
  });
}
vaa_status vaa_rng_give(vaa_rng* rng, int64_t position, vaa_f64s noise, vaa_error** err) {
  return guard(err, [&] { of(rng, Drawable::kGive).give(position, vaa::view(noise)); });
}

void vaa_rng_free(vaa_rng* rng) { delete rng; }

}  // extern "C"
