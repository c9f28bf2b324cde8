// include/vaa/reject.h: the verifier
#include "base/views.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/out_results.h"
#include "capi/rows.h"
#include "reject/verifier/draft_layout.h"
#include "reject/verifier/step_draws.h"
#include "reject/verifier/verifier.h"
#include "vaa/reject.h"

struct vaa_verifier {
  vaa::Verifier verifier;
};

namespace vaa {
namespace {

static_assert(VAA_PLACE_ACCEPTED == int{kAccepted} && VAA_PLACE_REJECTED == int{kRejected} && VAA_PLACE_BONUS == int{kBonus} && VAA_PLACE_PADDED == int{kPadded} && VAA_PLACE_BOUNDARY == int{kBoundary} &&
              VAA_PLACE_EMPTY_RESIDUAL == int{kEmptyResidual} && VAA_PLACE_SUPPORT_VIOLATION == int{kSupportViolation});

Matrix<double> rows_as(vaa_f64_rows_out rows, const Matrix<const double>& target, const char* name) {
  const Matrix<double> out = matrix<double>(rows, name);
  if (out.rows == 0 || (out.rows == target.rows && out.columns == target.columns)) return out;
  fail(VAA_ERROR_ARGUMENT, std::string(name) + ": has " + std::to_string(out.rows) + " rows of " + std::to_string(out.columns) + ", must have " + std::to_string(target.rows) + " of " + std::to_string(target.columns) + ", as target, or none");
}

bool flag_of(int32_t speculative) {
  if (speculative != 0 && speculative != 1) fail(VAA_ERROR_ARGUMENT, "speculative: is " + std::to_string(speculative) + ", must be 0 or 1");
  return speculative == 1;
}

size_t count_of(int64_t count, const char* name) {
  if (count < 0 || count > (int64_t{1} << 31)) fail(VAA_ERROR_ARGUMENT, std::string(name) + ": is " + std::to_string(count) + ", must be 0 to 2^31");
  return static_cast<size_t>(count);
}

template <class Value, class Out>
void put_all(const std::vector<Value>& list, Out out, size_t* out_size, const char* name) {
  given(out_size, name);
  const std::span<Value> to = room<Value>(out, list.size(), name);
  std::copy(list.begin(), list.end(), to.begin());
}

}  // namespace
}  // namespace vaa

using vaa::given;
using vaa::guard;
using vaa::matrix;
using vaa::room;
using vaa::view;

extern "C" {

int32_t vaa_policy_count(void) { return static_cast<int32_t>(vaa::policy_data().size()); }

vaa_str vaa_policy_name(int32_t index) {
  if (index < 0 || index >= vaa_policy_count()) return vaa::border("");
  return vaa::border(vaa::policy_data()[static_cast<size_t>(index)].name);
}

vaa_status vaa_verifier_new(vaa_str policy, vaa_str options, vaa_verifier** out_verifier, vaa_error** err) {
  return guard(err, [&] {
    given(out_verifier, "out_verifier");
    *out_verifier = new vaa_verifier{vaa::Verifier(view(policy), view(options))};
  });
}

vaa_status vaa_verifier_policy(const vaa_verifier* verifier, vaa_text** out_text, vaa_error** err) {
  return guard(err, [&] {
    given(out_text, "out_text");
    *out_text = new vaa_text{vaa::policy_json(given(verifier, "verifier")->verifier.policy())};
  });
}

void vaa_verifier_free(vaa_verifier* verifier) { delete verifier; }

vaa_status vaa_verifier_run(vaa_verifier* verifier, vaa_ids drafts, vaa_i64s cu, vaa_ids parents, vaa_f32_rows target, vaa_f32_rows draft_probs, vaa_ids history, vaa_i64s spans, vaa_f64_rows params, vaa_f64s uniforms,
                            vaa_f32_rows noise, vaa_ids bonus, vaa_ids_out ids, size_t* out_ids, vaa_ids_out accepted, size_t* out_accepted, vaa_ids_out places, size_t* out_places, vaa_f64s_out margins,
                            size_t* out_margins, vaa_error** err) {
  return guard(err, [&] {
    vaa::Verifier& one = given(verifier, "verifier")->verifier;
    for (const auto& [size, name] : {std::pair(out_ids, "out_ids"), std::pair(out_accepted, "out_accepted"), std::pair(out_places, "out_places"), std::pair(out_margins, "out_margins")}) given(size, name);
    const vaa::DraftBatch batch{view(drafts), view(cu), view(parents), matrix<const float>(target, "target"), matrix<const float>(draft_probs, "draft_probs"), view(history), view(spans),
                                matrix<const double>(params, "params"), view(uniforms), matrix<const float>(noise, "noise"), view(bonus)};
    const size_t columns = one.width_of(batch) + 1, requests = one.requests();
    one.run(batch, {room<int32_t>(ids, requests * columns, "ids"), room<int32_t>(accepted, requests, "accepted"), room<int32_t>(places, requests * columns, "places"), room<double>(margins, requests * columns, "margins")});
    *out_ids = *out_places = *out_margins = requests * columns;
    *out_accepted = requests;
  });
}

vaa_status vaa_verifier_law(vaa_verifier* verifier, vaa_ids drafts, vaa_ids parents, vaa_f64_rows target, vaa_f64_rows draft_probs, vaa_f64s_out acceptance, size_t* out_acceptance, vaa_f64s_out lengths,
                            size_t* out_lengths, vaa_f64_rows_out emitted, vaa_f64_rows_out recovered, vaa_error** err) {
  return guard(err, [&] {
    vaa::Verifier& one = given(verifier, "verifier")->verifier;
    given(out_acceptance, "out_acceptance");
    given(out_lengths, "out_lengths");
    const vaa::LawInput input{view(drafts), view(parents), matrix<const double>(target, "target"), matrix<const double>(draft_probs, "draft_probs")};
    const size_t n = input.drafts.size();
    one.law(input, {room<double>(acceptance, n, "acceptance"), room<double>(lengths, n + 1, "lengths"), vaa::rows_as(emitted, input.target, "emitted"), vaa::rows_as(recovered, input.target, "recovered")});
    *out_acceptance = n;
    *out_lengths = n + 1;
  });
}

vaa_status vaa_verifier_marginal(vaa_verifier* verifier, vaa_f64s target, vaa_f64s drafted, vaa_f64s judged, int64_t candidates, vaa_f64s_out marginal, size_t* out_marginal, double* out_acceptance,
                                 vaa_error** err) {
  return guard(err, [&] {
    vaa::Verifier& one = given(verifier, "verifier")->verifier;
    given(out_marginal, "out_marginal");
    given(out_acceptance, "out_acceptance");
    const vaa::MarginalInput input{view(target), view(drafted), view(judged), candidates};
    *out_acceptance = one.marginal(input, room<double>(marginal, input.target.size(), "marginal"));
    *out_marginal = input.target.size();
  });
}

vaa_status vaa_verifier_draws(const vaa_verifier* verifier, int32_t speculative, int64_t drafts, int64_t vocabulary, vaa_text** out_text, vaa_error** err) {
  return guard(err, [&] {
    given(out_text, "out_text");
    const std::vector<vaa::StepDraw> draws =
        vaa::step_draws(given(verifier, "verifier")->verifier.policy(), vaa::flag_of(speculative), vaa::count_of(drafts, "drafts"), vaa::count_of(vocabulary, "vocabulary"));
    *out_text = new vaa_text{vaa::step_draws_json(draws)};
  });
}

vaa_status vaa_verifier_draw(const vaa_verifier* verifier, vaa_rng* rng, int32_t speculative, vaa_f32s_out bonus, vaa_f64s_out uniforms, vaa_f32s_out recovered, vaa_error** err) {
  return guard(err, [&] {
    const size_t vocabulary = bonus.capacity;
    const std::vector<vaa::StepDraw> draws = vaa::step_draws(given(verifier, "verifier")->verifier.policy(), vaa::flag_of(speculative), uniforms.capacity, vocabulary);
    if (uniforms.capacity > 0 && recovered.capacity != vocabulary)
      vaa::fail(VAA_ERROR_ARGUMENT, "recovered: has room for " + std::to_string(recovered.capacity) + ", must be " + std::to_string(vocabulary) + " as bonus has");
    vaa::draw_step(draws, &given(rng, "rng")->rng, room<float>(bonus, vocabulary, "bonus"), room<double>(uniforms, uniforms.capacity, "uniforms"), room<float>(recovered, recovered.capacity, "recovered"));
  });
}

vaa_status vaa_draft_layout(vaa_i64s num_drafts, vaa_i64s_out cu_drafts, size_t* out_cu_drafts, vaa_i64s_out cu_sampled, size_t* out_cu_sampled, vaa_i64s_out target_rows, size_t* out_target_rows,
                            vaa_i64s_out bonus_rows, size_t* out_bonus_rows, vaa_error** err) {
  return guard(err, [&] {
    const vaa::DraftLayout layout = vaa::draft_layout(view(num_drafts));
    vaa::put_all(layout.cu_drafts, cu_drafts, out_cu_drafts, "cu_drafts");
    vaa::put_all(layout.cu_sampled, cu_sampled, out_cu_sampled, "cu_sampled");
    vaa::put_all(layout.target_rows, target_rows, out_target_rows, "target_rows");
    vaa::put_all(layout.bonus_rows, bonus_rows, out_bonus_rows, "bonus_rows");
    *out_cu_drafts = *out_cu_sampled = *out_bonus_rows = layout.cu_drafts.size();
    *out_target_rows = layout.target_rows.size();
  });
}

vaa_status vaa_emitted_rows(vaa_ids rows, int64_t columns, int64_t vocabulary, vaa_ids_out ids, size_t* out_ids, vaa_i64s_out ends, size_t* out_ends, vaa_error** err) {
  return guard(err, [&] {
    const vaa::EmittedRows emitted = vaa::emitted_rows(view(rows), vaa::count_of(columns, "columns"), vocabulary);
    vaa::put_all(emitted.ids, ids, out_ids, "ids");
    vaa::put_all(emitted.ends, ends, out_ends, "ends");
    *out_ids = emitted.ids.size();
    *out_ends = emitted.ends.size();
  });
}

vaa_status vaa_flashinfer_counters(vaa_f64s acceptance, double* out_emitted, double* out_accepted, vaa_error** err) {
  return guard(err, [&] {
    const vaa::FlashinferCounters counters = vaa::flashinfer_counters(view(acceptance));
    vaa::put({{out_emitted, "out_emitted", counters.emitted}, {out_accepted, "out_accepted", counters.accepted}});
  });
}

}  // extern "C"
