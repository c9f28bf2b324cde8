// include/vaa/sampler.h
#include "vaa/sampler.h"

#include "base/views.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/out_results.h"
#include "capi/rows.h"
#include "engines/engine_data.h"
#include "sampler/sampler.h"

struct vaa_sampler {
  vaa::Sampler sampler;
};

namespace vaa {
namespace {

static_assert(VAA_PARAM_COUNT == kParams);

SamplerInput input_of(vaa_f32_rows logits, vaa_ids history, vaa_i64s spans, vaa_f64_rows params) {
  return {matrix<const float>(logits, "logits"), view(history), view(spans), matrix<const double>(params, "params")};
}

LogprobsMode mode_of(int32_t mode) {
  if (mode < VAA_LOGPROBS_RAW || mode > VAA_LOGPROBS_PROCESSED_LOGITS) fail(VAA_ERROR_ARGUMENT, "mode: is " + std::to_string(mode) + ", must be a VAA_LOGPROBS_*, 0 to 3");
  return static_cast<LogprobsMode>(mode);
}

}  // namespace
}  // namespace vaa

using vaa::given;
using vaa::guard;

extern "C" {

vaa_status vaa_engine_new(vaa_str options, vaa_engine** out_engine, vaa_error** err) {
  return guard(err, [&] {
    given(out_engine, "out_engine");
    *out_engine = new vaa_engine{vaa::make_engine(vaa::view(options), vaa::stage_names())};
  });
}

vaa_status vaa_engine_json(const vaa_engine* engine, vaa_text** out_text, vaa_error** err) {
  return guard(err, [&] {
    given(out_text, "out_text");
    *out_text = new vaa_text{vaa::engine_json(given(engine, "engine")->engine)};
  });
}

int32_t vaa_engine_count(void) { return static_cast<int32_t>(vaa::engine_data().size()); }

vaa_str vaa_engine_name(int32_t index) {
  if (index < 0 || index >= vaa_engine_count()) return vaa::border("");
  return vaa::border(vaa::engine_data()[static_cast<size_t>(index)].name);
}

vaa_status vaa_engine_temperature(const vaa_engine* engine, double asked, int32_t* out_greedy, double* out_temperature, vaa_error** err) {
  return guard(err, [&] {
    const vaa::Resolved resolved = vaa::resolve_temperature(given(engine, "engine")->engine, asked);
    vaa::put({{out_greedy, "out_greedy", int32_t{resolved.greedy}}, {out_temperature, "out_temperature", resolved.temperature}});
  });
}

void vaa_engine_free(vaa_engine* engine) { delete engine; }

vaa_status vaa_sampler_new(const vaa_engine* engine, vaa_str options, vaa_sampler** out_sampler, vaa_error** err) {
  return guard(err, [&] {
    given(out_sampler, "out_sampler");
    *out_sampler = new vaa_sampler{vaa::Sampler(given(engine, "engine")->engine, vaa::view(options))};
  });
}

void vaa_sampler_free(vaa_sampler* sampler) { delete sampler; }

vaa_status vaa_sampler_probs(vaa_sampler* sampler, vaa_f32_rows logits, vaa_ids history, vaa_i64s spans, vaa_f64_rows params, vaa_f64_rows_out probs, vaa_error** err) {
  return guard(err, [&] {
    given(sampler, "sampler");
    const vaa::SamplerInput input = vaa::input_of(logits, history, spans, params);
    const vaa::Matrix<double> out = vaa::matrix<double>(probs, "probs");
    if (out.rows != input.logits.rows || out.columns != input.logits.columns) {
      vaa::fail(VAA_ERROR_ARGUMENT, "probs: has " + std::to_string(out.rows) + " rows of " + std::to_string(out.columns) + ", must have " + std::to_string(input.logits.rows) + " of " +
                                        std::to_string(input.logits.columns) + ", as logits");
    }
    sampler->sampler.probs(input, out);
  });
}

vaa_status vaa_sampler_kept(vaa_sampler* sampler, vaa_f32_rows logits, vaa_ids history, vaa_i64s spans, vaa_f64_rows params, vaa_ids* out_kept, vaa_i64s* out_ends, vaa_error** err) {
  return guard(err, [&] {
    given(sampler, "sampler");
    given(out_kept, "out_kept");
    given(out_ends, "out_ends");
    std::span<const int32_t> ids;
    std::span<const int64_t> ends;
    sampler->sampler.kept(vaa::input_of(logits, history, spans, params), &ids, &ends);
    *out_kept = vaa::border(ids);
    *out_ends = vaa::border(ends);
  });
}

vaa_status vaa_sampler_draw(vaa_sampler* sampler, vaa_f32_rows logits, vaa_ids history, vaa_i64s spans, vaa_f64_rows params, vaa_f64_rows noise, vaa_ids_out ids, size_t* out_size,
                            vaa_error** err) {
  return guard(err, [&] {
    given(sampler, "sampler");
    given(out_size, "out_size");
    sampler->sampler.draw(vaa::input_of(logits, history, spans, params), vaa::matrix<const double>(noise, "noise"), vaa::room<int32_t>(ids, logits.rows, "ids"));
    *out_size = logits.rows;
  });
}

vaa_status vaa_sampler_logprobs(vaa_sampler* sampler, vaa_f32_rows logits, vaa_ids history, vaa_i64s spans, vaa_f64_rows params, vaa_ids tokens, int32_t mode, vaa_f64s_out values,
                                size_t* out_values, vaa_i64s_out ranks, size_t* out_ranks, vaa_error** err) {
  return guard(err, [&] {
    given(sampler, "sampler");
    given(out_values, "out_values");
    given(out_ranks, "out_ranks");
    const vaa::LogprobsMode which = vaa::mode_of(mode);
    sampler->sampler.logprobs(vaa::input_of(logits, history, spans, params), vaa::view(tokens), which, vaa::room<double>(values, logits.rows, "values"),
                              vaa::room<int64_t>(ranks, logits.rows, "ranks"));
    *out_values = *out_ranks = logits.rows;
  });
}

}  // extern "C"
