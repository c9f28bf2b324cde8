// include/vaa/stats.h: rates, means, many tests, and how many are needed.
#include "base/views.h"
#include "capi/guard.h"
#include "capi/out_results.h"
#include "stats/arguments.h"
#include "stats/dispersion.h"
#include "stats/exact_tests.h"
#include "stats/goodness.h"
#include "stats/intervals.h"
#include "stats/means.h"
#include "stats/multiplicity.h"
#include "stats/power.h"
#include "stats/quantiles.h"
#include "stats/rank.h"
#include "stats/sequential.h"
#include "vaa/stats.h"

using vaa::guard;
using vaa::put;
using vaa::put_list;
using vaa::view;
namespace stats = vaa::stats;

namespace {

stats::Sides sides_of(const char* function, int32_t sides) {
  stats::check_count(function, "sides", sides, 1, 2);
  return sides == 1 ? stats::Sides::kOne : stats::Sides::kTwo;
}

}  // namespace

extern "C" {

vaa_status vaa_stats_wilson(int64_t k, int64_t n, double confidence, double* out_low, double* out_high, vaa_error** err) {
  return guard(err, [&] {
    const auto x = stats::wilson(k, n, confidence);
    put({{out_low, "out_low", x.low}, {out_high, "out_high", x.high}});
  });
}
vaa_status vaa_stats_clopper_pearson(int64_t k, int64_t n, double confidence, double* out_low, double* out_high, vaa_error** err) {
  return guard(err, [&] {
    const auto x = stats::clopper_pearson(k, n, confidence);
    put({{out_low, "out_low", x.low}, {out_high, "out_high", x.high}});
  });
}
vaa_status vaa_stats_rate_limits(int64_t k, int64_t n, double confidence, double* out_lower, double* out_upper, vaa_error** err) {
  return guard(err, [&] {
    put({{out_lower, "out_lower", stats::rate_lower_limit(k, n, confidence)}, {out_upper, "out_upper", stats::rate_upper_limit(k, n, confidence)}});
  });
}
vaa_status vaa_stats_rule_of_three(int64_t n, double* out_upper, vaa_error** err) {
  return guard(err, [&] { put({{out_upper, "out_upper", stats::rule_of_three(n)}}); });
}
vaa_status vaa_stats_dispersion(vaa_i64s counts, double* out_ratio, double* out_p, vaa_error** err) {
  return guard(err, [&] {
    const auto x = stats::dispersion(view(counts));
    put({{out_ratio, "out_ratio", x.ratio}, {out_p, "out_p", x.p}});
  });
}
vaa_status vaa_stats_pearson(vaa_i64s observed, vaa_f64s probs, double* out_chi2, int64_t* out_freedom, double* out_p, vaa_error** err) {
  return guard(err, [&] {
    const auto x = stats::pearson(view(observed), view(probs));
    put({{out_chi2, "out_chi2", x.chi2}, {out_freedom, "out_freedom", x.freedom}, {out_p, "out_p", x.p}});
  });
}
vaa_status vaa_stats_rate_difference(int64_t k1, int64_t n1, int64_t k2, int64_t n2, double confidence, double* out_difference, double* out_low,
                                     double* out_high, vaa_error** err) {
  return guard(err, [&] {
    const auto x = stats::rate_difference(k1, n1, k2, n2, confidence);
    put({{out_difference, "out_difference", static_cast<double>(k1) / static_cast<double>(n1) - static_cast<double>(k2) / static_cast<double>(n2)},
         {out_low, "out_low", x.low}, {out_high, "out_high", x.high}});
  });
}
vaa_status vaa_stats_fisher(int64_t a, int64_t b, int64_t c, int64_t d, double* out_p, double* out_p_greater, double* out_p_less, vaa_error** err) {
  return guard(err, [&] {
    put({{out_p, "out_p", stats::fisher_exact(a, b, c, d)}, {out_p_greater, "out_p_greater", stats::fisher_exact_greater(a, b, c, d)},
         {out_p_less, "out_p_less", stats::fisher_exact_less(a, b, c, d)}});
  });
}
vaa_status vaa_stats_mcnemar(int64_t b, int64_t c, double* out_p_exact, double* out_p_mid, double* out_p_greater, double* out_chi2, vaa_error** err) {
  return guard(err, [&] {
    put({{out_p_exact, "out_p_exact", stats::mcnemar_exact(b, c)}, {out_p_mid, "out_p_mid", stats::mcnemar_mid_p(b, c)},
         {out_p_greater, "out_p_greater", stats::mcnemar_exact_greater(b, c)}, {out_chi2, "out_chi2", stats::mcnemar_chi2(b, c)}});
  });
}
vaa_status vaa_stats_mcnemar_odds_ratio(int64_t b, int64_t c, double confidence, double* out_ratio, double* out_low, double* out_high, vaa_error** err) {
  return guard(err, [&] {
    const auto x = stats::mcnemar_odds_ratio(b, c, confidence);
    put({{out_ratio, "out_ratio", x.ratio}, {out_low, "out_low", x.interval.low}, {out_high, "out_high", x.interval.high}});
  });
}
vaa_status vaa_stats_paired_difference(int64_t a, int64_t b, int64_t c, int64_t d, double confidence, double* out_difference, double* out_low,
                                       double* out_high, double* out_phi, double* out_standard_error, double* out_flips, vaa_error** err) {
  return guard(err, [&] {
    const auto x = stats::paired_difference(a, b, c, d, confidence);
    put({{out_difference, "out_difference", x.difference}, {out_low, "out_low", x.interval.low}, {out_high, "out_high", x.interval.high},
         {out_phi, "out_phi", x.phi}, {out_standard_error, "out_standard_error", x.standard_error}, {out_flips, "out_flips", x.flips}});
  });
}
vaa_status vaa_stats_mean(vaa_f64s values, double* out_mean, double* out_standard_error, vaa_error** err) {
  return guard(err, [&] {
    stats::check_some("mean", "values", values.size);
    const auto x = stats::mean_of(view(values));
    put({{out_mean, "out_mean", x.mean}, {out_standard_error, "out_standard_error", x.standard_error}});
  });
}
vaa_status vaa_stats_mean_clustered(vaa_f64s values, vaa_i64s clusters, double* out_mean, double* out_standard_error, vaa_error** err) {
  return guard(err, [&] {
    stats::check_some("mean_clustered", "values", values.size);
    const auto x = stats::mean_clustered(view(values), view(clusters));
    put({{out_mean, "out_mean", x.mean}, {out_standard_error, "out_standard_error", x.standard_error}});
  });
}
vaa_status vaa_stats_root_mean_square(vaa_f64s values, double* out_rms, double* out_standard_error, vaa_error** err) {
  return guard(err, [&] {
    stats::check_some("root_mean_square", "values", values.size);
    const auto x = stats::root_mean_square(view(values));
    put({{out_rms, "out_rms", x.mean}, {out_standard_error, "out_standard_error", x.standard_error}});
  });
}
vaa_status vaa_stats_paired_mean(vaa_f64s reference, vaa_f64s target, double confidence, double* out_difference, double* out_standard_error,
                                 double* out_correlation, double* out_t, double* out_df, double* out_p_t, double* out_p_z, double* out_low, double* out_high,
                                 vaa_error** err) {
  return guard(err, [&] {
    stats::check_some("paired_mean", "reference", reference.size);
    const auto x = stats::paired_mean(view(reference), view(target), confidence);
    put({{out_difference, "out_difference", x.difference.mean}, {out_standard_error, "out_standard_error", x.difference.standard_error},
         {out_correlation, "out_correlation", x.correlation}, {out_t, "out_t", x.t}, {out_df, "out_df", x.df}, {out_p_t, "out_p_t", x.p_t},
         {out_p_z, "out_p_z", x.p_z}, {out_low, "out_low", x.interval.low}, {out_high, "out_high", x.interval.high}});
  });
}
vaa_status vaa_stats_equivalence(vaa_f64s differences, double margin, double* out_mean, double* out_standard_error, double* out_p, double* out_p_lower,
                                 double* out_p_upper, double* out_low, double* out_high, vaa_error** err) {
  return guard(err, [&] {
    const auto x = stats::equivalence(view(differences), margin);
    put({{out_mean, "out_mean", x.difference.mean}, {out_standard_error, "out_standard_error", x.difference.standard_error}, {out_p, "out_p", x.p},
         {out_p_lower, "out_p_lower", x.p_lower}, {out_p_upper, "out_p_upper", x.p_upper}, {out_low, "out_low", x.interval.low},
         {out_high, "out_high", x.interval.high}});
  });
}
vaa_status vaa_stats_quantiles(vaa_f64s values, vaa_f64s shares, vaa_f64s_out out, size_t* out_size, vaa_error** err) {
  return guard(err, [&] {
    put_list(stats::quantiles(view(values), view(shares)), out, out_size);
  });
}
vaa_status vaa_stats_spearman(vaa_f64s x, vaa_f64s y, double* out_rho, double* out_t, double* out_p, vaa_error** err) {
  return guard(err, [&] {
    const auto r = stats::spearman(view(x), view(y));
    put({{out_rho, "out_rho", r.rho}, {out_t, "out_t", r.t}, {out_p, "out_p", r.p}});
  });
}
vaa_status vaa_stats_holm(vaa_f64s p, vaa_f64s_out out, size_t* out_size, vaa_error** err) {
  return guard(err, [&] {
    stats::check_some("holm", "p", p.size);
    put_list(stats::holm(view(p)), out, out_size);
  });
}
vaa_status vaa_stats_benjamini_hochberg(vaa_f64s p, vaa_f64s_out out, size_t* out_size, vaa_error** err) {
  return guard(err, [&] {
    stats::check_some("benjamini_hochberg", "p", p.size);
    put_list(stats::benjamini_hochberg(view(p)), out, out_size);
  });
}
vaa_status vaa_stats_clean_runs_needed(double rate, double alpha, int64_t* out_exact, int64_t* out_poisson, int64_t* out_anytime, vaa_error** err) {
  return guard(err, [&] {
    put({{out_exact, "out_exact", stats::clean_runs_needed(rate, alpha)}, {out_poisson, "out_poisson", stats::clean_runs_needed_poisson(rate, alpha)},
         {out_anytime, "out_anytime", stats::clean_runs_needed_anytime(rate, alpha)}});
  });
}
vaa_status vaa_stats_samples_needed_above(double rate, double ceiling, double alpha, double beta, int64_t* out_n, vaa_error** err) {
  return guard(err, [&] { put({{out_n, "out_n", stats::samples_needed_above(rate, ceiling, alpha, beta)}}); });
}
vaa_status vaa_stats_group_size_needed(double p1, double p2, double alpha, double beta, int32_t sides, int64_t* out_n, vaa_error** err) {
  return guard(err, [&] { put({{out_n, "out_n", stats::group_size_needed(p1, p2, alpha, beta, sides_of("group_size_needed", sides))}}); });
}
vaa_status vaa_stats_unpaired_detectable(double sigma, int64_t n, double alpha, double beta, int32_t sides, double* out_threshold, double* out_detectable,
                                         vaa_error** err) {
  return guard(err, [&] {
    const stats::Sides s = sides_of("unpaired_detectable", sides);
    put({{out_threshold, "out_threshold", stats::unpaired_threshold(sigma, n, alpha, s)},
         {out_detectable, "out_detectable", stats::unpaired_detectable(sigma, n, alpha, beta, s)}});
  });
}
vaa_status vaa_stats_paired_detectable(double discordance, int64_t n, double alpha, double beta, int32_t sides, double* out_detectable, vaa_error** err) {
  return guard(err, [&] {
    put({{out_detectable, "out_detectable", stats::paired_detectable(discordance, n, alpha, beta, sides_of("paired_detectable", sides))}});
  });
}
vaa_status vaa_stats_pairs_needed(double discordance, double effect, double alpha, double beta, int32_t sides, int64_t* out_n, vaa_error** err) {
  return guard(err, [&] { put({{out_n, "out_n", stats::pairs_needed(discordance, effect, alpha, beta, sides_of("pairs_needed", sides))}}); });
}
vaa_status vaa_stats_questions_needed(double between, double within_a, double within_b, double repeats_a, double repeats_b, double effect, double alpha,
                                      double beta, int32_t sides, int64_t* out_n, vaa_error** err) {
  return guard(err, [&] {
    const stats::RepeatedDesign design = {between, within_a, within_b, repeats_a, repeats_b};
    put({{out_n, "out_n", stats::questions_needed(design, effect, alpha, beta, sides_of("questions_needed", sides))}});
  });
}
vaa_status vaa_stats_repeats_needed(double within, int64_t questions, double other_variance, double effect, double alpha, double beta, int32_t sides,
                                    int64_t* out_repeats, vaa_error** err) {
  return guard(err, [&] {
    put({{out_repeats, "out_repeats", stats::repeats_needed(within, questions, other_variance, effect, alpha, beta, sides_of("repeats_needed", sides))}});
  });
}

}  // extern "C"
