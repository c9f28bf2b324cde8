// include/vaa/stats.h: divergences, distributions, runs that are watched, samples of answers.
#include "base/views.h"
#include "capi/guard.h"
#include "capi/out_results.h"
#include "stats/arguments.h"
#include "stats/distances.h"
#include "stats/distributions.h"
#include "stats/flip_test.h"
#include "stats/mmd.h"
#include "stats/near_tie.h"
#include "stats/sequential.h"
#include "stats/survival.h"
#include "vaa/stats.h"

using vaa::check_room;
using vaa::given;
using vaa::guard;
using vaa::put;
using vaa::view;
namespace stats = vaa::stats;

namespace {

void put_curve(const stats::SurvivalCurve& curve, vaa_f64_rows_out rows, size_t* out_size, double* out_median) {
  given(out_size, "out_size");
  given(out_median, "out_median");
  constexpr int64_t kColumns = 6;
  stats::check_count("kaplan_meier", "rows.cols", static_cast<int64_t>(rows.cols), kColumns, kColumns);
  stats::check_count("kaplan_meier", "rows.stride", static_cast<int64_t>(rows.stride), kColumns);
  check_room("rows", rows.rows, curve.steps.size());
  double* row = curve.steps.empty() ? nullptr : given(rows.data, "rows.data");
  for (const stats::SurvivalStep& step : curve.steps) {
    const double values[kColumns] = {step.time, static_cast<double>(step.at_risk), static_cast<double>(step.events), step.survival, step.standard_error, step.hazard};
    std::copy(std::begin(values), std::end(values), row);
    row += rows.stride;
  }
  *out_size = curve.steps.size();
  *out_median = curve.median;
}

void check_entries(const char* function, const char* name, vaa_f64s entries) { stats::check_some(function, name, entries.size); }

}  // namespace

extern "C" {

vaa_status vaa_stats_kaplan_meier(vaa_f64s exits, vaa_u8s events, vaa_f64_rows_out rows, size_t* out_size, double* out_median, vaa_error** err) {
  return guard(err, [&] {
    put_curve(stats::kaplan_meier({{}, view(exits), view(events)}), rows, out_size, out_median);
  });
}
vaa_status vaa_stats_kaplan_meier_truncated(vaa_f64s entries, vaa_f64s exits, vaa_u8s events, vaa_f64_rows_out rows, size_t* out_size, double* out_median,
                                            vaa_error** err) {
  return guard(err, [&] {
    check_entries("kaplan_meier", "entries", entries);
    put_curve(stats::kaplan_meier({view(entries), view(exits), view(events)}), rows, out_size, out_median);
  });
}
vaa_status vaa_stats_restricted_mean(vaa_f64s exits, vaa_u8s events, double horizon, double* out_mean, double* out_standard_error, vaa_error** err) {
  return guard(err, [&] {
    const auto x = stats::restricted_mean({{}, view(exits), view(events)}, horizon);
    put({{out_mean, "out_mean", x.mean}, {out_standard_error, "out_standard_error", x.standard_error}});
  });
}
vaa_status vaa_stats_log_rank(vaa_f64s exits1, vaa_u8s events1, vaa_f64s exits2, vaa_u8s events2, int64_t* out_observed, double* out_expected,
                              double* out_variance, double* out_chi2, double* out_p, vaa_error** err) {
  return guard(err, [&] {
    const auto x = stats::log_rank({{}, view(exits1), view(events1)}, {{}, view(exits2), view(events2)});
    put({{out_observed, "out_observed", x.observed}, {out_expected, "out_expected", x.expected}, {out_variance, "out_variance", x.variance},
         {out_chi2, "out_chi2", x.chi2}, {out_p, "out_p", x.p}});
  });
}
vaa_status vaa_stats_log_rank_truncated(vaa_f64s entries1, vaa_f64s exits1, vaa_u8s events1, vaa_f64s entries2, vaa_f64s exits2, vaa_u8s events2,
                                        int64_t* out_observed, double* out_expected, double* out_variance, double* out_chi2, double* out_p, vaa_error** err) {
  return guard(err, [&] {
    check_entries("log_rank: first group", "entries", entries1);
    check_entries("log_rank: second group", "entries", entries2);
    const auto x = stats::log_rank({view(entries1), view(exits1), view(events1)}, {view(entries2), view(exits2), view(events2)});
    put({{out_observed, "out_observed", x.observed}, {out_expected, "out_expected", x.expected}, {out_variance, "out_variance", x.variance},
         {out_chi2, "out_chi2", x.chi2}, {out_p, "out_p", x.p}});
  });
}
vaa_status vaa_stats_hazard_test(vaa_f64s hazards, int64_t observed, double* out_expected, double* out_variance, double* out_z, double* out_p_upper,
                                 double* out_p, vaa_error** err) {
  return guard(err, [&] {
    const auto x = stats::hazard_test(view(hazards), observed);
    put({{out_expected, "out_expected", x.expected}, {out_variance, "out_variance", x.variance}, {out_z, "out_z", x.z},
         {out_p_upper, "out_p_upper", x.p_upper}, {out_p, "out_p", x.p_two_sided}});
  });
}
vaa_status vaa_stats_flip_test(vaa_f64s gaps, vaa_u8s flips, double sigma, double* out_expected, double* out_variance, double* out_z, double* out_p_upper,
                               double* out_p, vaa_error** err) {
  return guard(err, [&] {
    const auto x = stats::flip_test(view(gaps), view(flips), sigma);
    put({{out_expected, "out_expected", x.expected}, {out_variance, "out_variance", x.variance}, {out_z, "out_z", x.z},
         {out_p_upper, "out_p_upper", x.p_upper}, {out_p, "out_p", x.p_two_sided}});
  });
}
vaa_status vaa_stats_flip_sigma(vaa_f64s gaps, vaa_u8s flips, double confidence, double* out_sigma, double* out_low, double* out_high, vaa_error** err) {
  return guard(err, [&] {
    const auto x = stats::flip_sigma(view(gaps), view(flips), confidence);
    put({{out_sigma, "out_sigma", x.sigma}, {out_low, "out_low", x.interval.low}, {out_high, "out_high", x.interval.high}});
  });
}
vaa_status vaa_stats_flip_sigma_test(vaa_f64s gaps, vaa_u8s flips, double sigma, double* out_log_likelihood, double* out_most, double* out_chi2,
                                     double* out_p, vaa_error** err) {
  return guard(err, [&] {
    const auto x = stats::flip_sigma_test(view(gaps), view(flips), sigma);
    put({{out_log_likelihood, "out_log_likelihood", x.log_likelihood}, {out_most, "out_most", x.most}, {out_chi2, "out_chi2", x.chi2}, {out_p, "out_p", x.p}});
  });
}
vaa_status vaa_stats_poisson(int64_t k, double mean, double* out_p_at_least, double* out_p_at_most, vaa_error** err) {
  return guard(err, [&] {
    stats::check_count("poisson", "k", k);
    put({{out_p_at_least, "out_p_at_least", stats::poisson_at_least(k, mean)}, {out_p_at_most, "out_p_at_most", stats::poisson_at_most(k, mean)}});
  });
}
vaa_status vaa_stats_distances(vaa_f64s p, vaa_f64s q, double* out_kl_pq, double* out_kl_qp, double* out_js, double* out_tv, double* out_bhattacharyya,
                               double* out_hellinger, vaa_error** err) {
  return guard(err, [&] {
    const auto x = stats::distances(view(p), view(q));
    put({{out_kl_pq, "out_kl_pq", x.kl_pq}, {out_kl_qp, "out_kl_qp", x.kl_qp}, {out_js, "out_js", x.js}, {out_tv, "out_tv", x.tv},
         {out_bhattacharyya, "out_bhattacharyya", x.bhattacharyya}, {out_hellinger, "out_hellinger", x.hellinger}});
  });
}
vaa_status vaa_stats_distances_of_logits(vaa_f64s reference, vaa_f64s target, double* out_kl_pq, double* out_kl_qp, double* out_js, double* out_tv,
                                         double* out_bhattacharyya, double* out_hellinger, vaa_error** err) {
  return guard(err, [&] {
    const auto x = stats::distances_of_logits(view(reference), view(target));
    put({{out_kl_pq, "out_kl_pq", x.kl_pq}, {out_kl_qp, "out_kl_qp", x.kl_qp}, {out_js, "out_js", x.js}, {out_tv, "out_tv", x.tv},
         {out_bhattacharyya, "out_bhattacharyya", x.bhattacharyya}, {out_hellinger, "out_hellinger", x.hellinger}});
  });
}
vaa_status vaa_stats_kl_from_top_k(vaa_ids reference_ids, vaa_f64s reference_logprobs, vaa_ids target_ids, vaa_f64s target_logprobs, double* out_kl_at_least,
                                   int64_t* out_common, double* out_reference_mass, double* out_target_mass, vaa_error** err) {
  return guard(err, [&] {
    const auto x = stats::kl_from_top_k(view(reference_ids), view(reference_logprobs), view(target_ids), view(target_logprobs));
    put({{out_kl_at_least, "out_kl_at_least", x.kl}, {out_common, "out_common", x.common}, {out_reference_mass, "out_reference_mass", x.reference_mass},
         {out_target_mass, "out_target_mass", x.target_mass}});
  });
}
vaa_status vaa_stats_kl_estimates(vaa_f64s reference_logprobs, vaa_f64s target_logprobs, double* out_k1, double* out_k2, double* out_k3,
                                  double* out_mean_difference, double* out_most_difference, double* out_mean_factor, vaa_error** err) {
  return guard(err, [&] {
    const auto x = stats::kl_estimates(view(reference_logprobs), view(target_logprobs));
    put({{out_k1, "out_k1", x.k1}, {out_k2, "out_k2", x.k2}, {out_k3, "out_k3", x.k3}, {out_mean_difference, "out_mean_difference", x.mean_difference},
         {out_most_difference, "out_most_difference", x.most_difference}, {out_mean_factor, "out_mean_factor", x.mean_factor}});
  });
}
vaa_status vaa_stats_swing(vaa_ids reference_ids, vaa_f64s reference_logprobs, int32_t reference_token, vaa_ids target_ids, vaa_f64s target_logprobs,
                           int32_t target_token, double tau, double* out_reference_gap, double* out_target_gap, double* out_swing, int32_t* out_is_bound,
                           int32_t* out_class, vaa_error** err) {
  return guard(err, [&] {
    const auto x = stats::first_divergence_swing({view(reference_ids), view(reference_logprobs), reference_token}, {view(target_ids), view(target_logprobs), target_token}, tau);
    put({{out_reference_gap, "out_reference_gap", x.reference_gap}, {out_target_gap, "out_target_gap", x.target_gap}, {out_swing, "out_swing", x.swing},
         {out_is_bound, "out_is_bound", int32_t{x.is_bound}}, {out_class, "out_class", static_cast<int32_t>(x.kind)}});
  });
}
vaa_status vaa_stats_sprt(int64_t k, int64_t n, double p0, double p1, double alpha, double beta, double* out_log_ratio, double* out_low, double* out_high,
                          int32_t* out_decision, int64_t* out_clean_runs, vaa_error** err) {
  return guard(err, [&] {
    const auto x = stats::sprt(k, n, p0, p1, alpha, beta);
    put({{out_log_ratio, "out_log_ratio", x.log_ratio}, {out_low, "out_low", x.low}, {out_high, "out_high", x.high},
         {out_decision, "out_decision", static_cast<int32_t>(x.decision)}, {out_clean_runs, "out_clean_runs", x.clean_runs}});
  });
}
vaa_status vaa_stats_e_value(int64_t k, int64_t n, double p0, double* out_e, double* out_p, double* out_e_above, double* out_p_above, vaa_error** err) {
  return guard(err, [&] {
    const auto x = stats::e_value(k, n, p0);
    put({{out_e, "out_e", x.e}, {out_p, "out_p", x.p}, {out_e_above, "out_e_above", x.e_above}, {out_p_above, "out_p_above", x.p_above}});
  });
}
vaa_status vaa_stats_confidence_sequence(int64_t k, int64_t n, double confidence, double* out_low, double* out_high, vaa_error** err) {
  return guard(err, [&] {
    const auto x = stats::confidence_sequence(k, n, confidence);
    put({{out_low, "out_low", x.low}, {out_high, "out_high", x.high}});
  });
}
vaa_status vaa_stats_mmd(vaa_i64s reference_prompts, vaa_i64s reference_lengths, vaa_ids reference_ids, vaa_i64s target_prompts, vaa_i64s target_lengths,
                         vaa_ids target_ids, int64_t permutations, uint64_t seed, double* out_mmd2, double* out_p, int64_t* out_at_least, int64_t* out_splits,
                         int32_t* out_exact, vaa_error** err) {
  return guard(err, [&] {
    const stats::Answers reference = {view(reference_prompts), view(reference_lengths), view(reference_ids)};
    const stats::Answers target = {view(target_prompts), view(target_lengths), view(target_ids)};
    const auto x = stats::mmd_test(reference, target, permutations, seed);
    put({{out_mmd2, "out_mmd2", x.mmd2}, {out_p, "out_p", x.p}, {out_at_least, "out_at_least", x.at_least}, {out_splits, "out_splits", x.permutations},
         {out_exact, "out_exact", int32_t{x.exact}}});
  });
}

}  // extern "C"
