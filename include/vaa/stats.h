/* vaa/stats.h: the statistics of accuracy work. Pure functions of numbers: no state, no threads, the same bits on every machine, and for any order of the observations but in
 * vaa_stats_mmd's random splits. docs/statistics.md says when to use which, and when not.
 *
 * Counts are whole numbers of [0, 2^53]; confidences, levels (alpha, beta) and rates that are hypotheses lie above 0 and below 1. NaN, a negative count, k > n, an array that is
 * empty or of another size than its partner are VAA_ERROR_ARGUMENT, whose message names the parameter, the value and what is allowed. A result that does not exist (the standard
 * error of one value, 0 / 0) is NaN, an infinite one infinity. p values are two-sided unless said. Every out_* must be given. Costs are O(n), or n log n where a list is sorted,
 * unless said. */
#ifndef VAA_STATS_H
#define VAA_STATS_H

#include "vaa/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a rate: k of n ---- */

/* The interval to show (Wilson 1927). n = 0: [0, 1]. */
VAA_API vaa_status vaa_stats_wilson(int64_t k, int64_t n, double confidence, double *out_low, double *out_high, vaa_error **err);
/* The interval to guarantee: covers the rate at least so often as `confidence` says (Clopper and Pearson 1934). n = 0: [0, 1]. */
VAA_API vaa_status vaa_stats_clopper_pearson(int64_t k, int64_t n, double confidence, double *out_low, double *out_high, vaa_error **err);
/* Its one-sided forms: the rate is at least *out_lower with this confidence, and at most *out_upper with this confidence. k = 0: upper = 1 - (1 - confidence)^(1/n). */
VAA_API vaa_status vaa_stats_rate_limits(int64_t k, int64_t n, double confidence, double *out_lower, double *out_upper, vaa_error **err);
/* 3 / n, at most 1: roughly the upper limit of 95 % after n >= 1 runs without a failure. */
VAA_API vaa_status vaa_stats_rule_of_three(int64_t n, double *out_upper, vaa_error **err);
/* Whether failures, counted by window, replica or batch of equal size (two at least), come in bursts: variance (n - 1) over mean, 1 for independent ones, NaN where nothing failed;
 * p of as much variance or more, by chi-squared (Fisher 1925). */
VAA_API vaa_status vaa_stats_dispersion(vaa_i64s counts, double *out_ratio, double *out_p, vaa_error **err);
/* Whether counts by class follow a law, probs of each adding to 1 within 1e-9 (Pearson 1900): chi2 = sum of (observed - expected)^2 / expected, infinite where a class of probability 0 was met;
 * classes of some probability less one; p of as much or more, to be trusted from 5 expected a class on. */
VAA_API vaa_status vaa_stats_pearson(vaa_i64s observed, vaa_f64s probs, double *out_chi2, int64_t *out_freedom, double *out_p, vaa_error **err);

/* ---- two rates ---- */

/* k1 / n1 - k2 / n2 of independent groups, and its interval (Newcombe 1998, method 10 for independent proportions). n1 = 0 or n2 = 0: NaN in [-1, 1]. */
VAA_API vaa_status vaa_stats_rate_difference(int64_t k1, int64_t n1, int64_t k2, int64_t n2, double confidence, double *out_difference, double *out_low, double *out_high,
                                             vaa_error **err);
/* Fisher's exact test of [a b; c d], a against b in one group and c against d in the other: the sum over the tables that are not likelier; and one-sided, a's rate being higher
 * (greater) or lower (less) than c's. Cells up to 2^51. */
VAA_API vaa_status vaa_stats_fisher(int64_t a, int64_t b, int64_t c, int64_t d, double *out_p, double *out_p_greater, double *out_p_less, vaa_error **err);
/* McNemar's test on pairs, b right only the first time and c only the second (up to 2^52): exact, 2 P(Bin(b + c, 1/2) <= min(b, c)), the gate; mid-p, less the probability of the
 * observed table, to show; exact one-sided, P(Bin(b + c, 1/2) >= b); chi2 = (|b - c| - 1)^2 / (b + c). b = c: 1, 1, its tail, 0. */
VAA_API vaa_status vaa_stats_mcnemar(int64_t b, int64_t c, double *out_p_exact, double *out_p_mid, double *out_p_greater, double *out_chi2, vaa_error **err);
/* b / c and its exact interval: that of Clopper and Pearson for b / (b + c), as odds. b = c = 0: NaN in [0, infinity]; c = 0: infinity. */
VAA_API vaa_status vaa_stats_mcnemar_odds_ratio(int64_t b, int64_t c, double confidence, double *out_ratio, double *out_low, double *out_high, vaa_error **err);
/* The same items answered twice: a right both times, b only the first, c only the second, d never (up to 2^50). difference = (b - c) / n, the first less the second, with its interval
 * (Newcombe 1998, method 10 for paired data); phi, its correlation corrected for continuity; the standard error with divisor n - 1; flips = (b + c) / n. n = 0: 0 in [-1, 1]. */
VAA_API vaa_status vaa_stats_paired_difference(int64_t a, int64_t b, int64_t c, int64_t d, double confidence, double *out_difference, double *out_low, double *out_high, double *out_phi,
                                               double *out_standard_error, double *out_flips, vaa_error **err);

/* ---- means of scores; values up to 1e140 in size ---- */

/* Mean and standard error (divisor n - 1) of independent values. */
VAA_API vaa_status vaa_stats_mean(vaa_f64s values, double *out_mean, double *out_standard_error, vaa_error **err);
/* Of values that come in clusters (repeats of a question, questions on one text); clusters[i] is that of values[i], any number: SE^2 of independent ones and the sum over pairs
 * i != j in one cluster of (s_i - m)(s_j - m) / n^2; below 0 it counts as 0 (Miller, "Adding error bars to evals", 2024). */
VAA_API vaa_status vaa_stats_mean_clustered(vaa_f64s values, vaa_i64s clusters, double *out_mean, double *out_standard_error, vaa_error **err);
/* sqrt(mean x^2) of values up to 1e70 in size, and its standard error: that of the mean square over twice the root. */
VAA_API vaa_status vaa_stats_root_mean_square(vaa_f64s values, double *out_rms, double *out_standard_error, vaa_error **err);
/* Two scores of the same items: the mean of target - reference, its standard error, the correlation of the two, Student's t with df = n - 1, p by t and by the normal distribution, and the
 * interval by t. One item: t NaN, p 1, an infinite interval. */
VAA_API vaa_status vaa_stats_paired_mean(vaa_f64s reference, vaa_f64s target, double confidence, double *out_difference, double *out_standard_error, double *out_correlation,
                                         double *out_t, double *out_df, double *out_p_t, double *out_p_z, double *out_low, double *out_high, vaa_error **err);
/* Two one-sided t tests on at least two differences: equivalent within ±margin where p, the larger of the two, is small (Schuirmann 1987); p_lower is against "the mean is -margin or
 * less", p_upper against "margin or more"; [low, high] is the interval of 90 %, inside ±margin where p < 0.05. */
VAA_API vaa_status vaa_stats_equivalence(vaa_f64s differences, double margin, double *out_mean, double *out_standard_error, double *out_p, double *out_p_lower, double *out_p_upper,
                                         double *out_low, double *out_high, vaa_error **err);
/* The values at the places share (n - 1) of the sorted list, with straight lines between (numpy's default); shares in [0, 1], out.capacity at least their number. */
VAA_API vaa_status vaa_stats_quantiles(vaa_f64s values, vaa_f64s shares, vaa_f64s_out out, size_t *out_size, vaa_error **err);
/* Spearman's rank correlation (1904) of x and y, ties sharing the mean of their ranks; t = rho sqrt((n - 2) / (1 - rho^2)), p by Student's t with n - 2 degrees of freedom. Fewer than three
 * pairs, or a side all equal: NaN, NaN, 1. */
VAA_API vaa_status vaa_stats_spearman(vaa_f64s x, vaa_f64s y, double *out_rho, double *out_t, double *out_p, vaa_error **err);

/* ---- many tests ---- */

/* p values of one family adjusted for their number, in the order of the input: reject where the adjusted one is at most the level. Holm (1979) bounds the chance of any false
 * rejection: for gates. Benjamini and Hochberg (1995) bound the share of false ones: for lists to look at. out.capacity at least p.size. */
VAA_API vaa_status vaa_stats_holm(vaa_f64s p, vaa_f64s_out out, size_t *out_size, vaa_error **err);
VAA_API vaa_status vaa_stats_benjamini_hochberg(vaa_f64s p, vaa_f64s_out out, size_t *out_size, vaa_error **err);

/* ---- time until an event: the first divergence ---- */

/* Kaplan and Meier's curve (1958). Subject i has left at exits[i] (an index, a position, any finite time), with its event where events[i] is 1 and censored where 0. A row for
 * each time with events: time, number at risk, events, survival after it, Greenwood's standard error (NaN where survival is 0), Nelson and Aalen's cumulative hazard. rows.cols is 6,
 * *out_size the number of rows; the count of distinct times is enough. *out_median: the first time from which survival is at most 1/2, else infinity. */
VAA_API vaa_status vaa_stats_kaplan_meier(vaa_f64s exits, vaa_u8s events, vaa_f64_rows_out rows, size_t *out_size, double *out_median, vaa_error **err);
/* The same with left truncation: subject i is at risk at the times t with entries[i] < t <= exits[i], such as a request that enters at its prompt's length. */
VAA_API vaa_status vaa_stats_kaplan_meier_truncated(vaa_f64s entries, vaa_f64s exits, vaa_u8s events, vaa_f64_rows_out rows, size_t *out_size, double *out_median, vaa_error **err);
/* The area under the curve over [0, horizon]: the mean time until the event or the horizon, whichever is first, and its standard error. exits are at least 0, the horizon at most the
 * last of them unless nobody survives. */
VAA_API vaa_status vaa_stats_restricted_mean(vaa_f64s exits, vaa_u8s events, double horizon, double *out_mean, double *out_standard_error, vaa_error **err);
/* Whether two groups have the same curve (log-rank; Mantel 1966): events of the first group, those expected if so, the hypergeometric variance, chi2 = (observed - expected)^2 / variance
 * with one degree of freedom. Variance 0: chi2 0, p 1. */
VAA_API vaa_status vaa_stats_log_rank(vaa_f64s exits1, vaa_u8s events1, vaa_f64s exits2, vaa_u8s events2, int64_t *out_observed, double *out_expected, double *out_variance,
                                      double *out_chi2, double *out_p, vaa_error **err);
VAA_API vaa_status vaa_stats_log_rank_truncated(vaa_f64s entries1, vaa_f64s exits1, vaa_u8s events1, vaa_f64s entries2, vaa_f64s exits2, vaa_u8s events2, int64_t *out_observed,
                                                double *out_expected, double *out_variance, double *out_chi2, double *out_p, vaa_error **err);

/* ---- divergences against benign noise: one element a token at risk, in discrete time ---- */

/* `observed` flips where token i flips with the chance hazards[i]: expected E = sum h, variance W = sum h (1 - h), z = (observed - E) / sqrt(W), P(Z >= z) and P(|Z| >= |z|). */
VAA_API vaa_status vaa_stats_hazard_test(vaa_f64s hazards, int64_t observed, double *out_expected, double *out_variance, double *out_z, double *out_p_upper, double *out_p,
                                         vaa_error **err);
/* The same from the reference's own gaps: gaps[i] >= 0 is its logprob of the token less that of the second, in nats; flips[i] is 1 where the target chose another token (the last at risk
 * of its answer), else 0. Noise of scale sigma on the gap flips with the chance h = P(N(0, 1) > gap / sigma). */
VAA_API vaa_status vaa_stats_flip_test(vaa_f64s gaps, vaa_u8s flips, double sigma, double *out_expected, double *out_variance, double *out_z, double *out_p_upper, double *out_p,
                                       vaa_error **err);
/* The sigma under which the flips are likeliest, and those that a likelihood ratio test of this confidence does not reject. 0 where no gap above 0 flipped, infinity where flips do not
 * get rarer with the gap, NaN where all gaps are 0; a gap below 1e-30 counts as 0. Cost: some thirty passes, four seconds for a million tokens. */
VAA_API vaa_status vaa_stats_flip_sigma(vaa_f64s gaps, vaa_u8s flips, double confidence, double *out_sigma, double *out_low, double *out_high, vaa_error **err);
/* Log-likelihood of the flips at sigma and at the likeliest sigma; twice the difference is chi-squared with one degree of freedom if sigma is right. */
VAA_API vaa_status vaa_stats_flip_sigma_test(vaa_f64s gaps, vaa_u8s flips, double sigma, double *out_log_likelihood, double *out_most, double *out_chi2, double *out_p,
                                             vaa_error **err);
/* X ~ Poisson(mean), mean >= 0: P(X >= k), P(X <= k). For a bucket of positions whose W is below 5. */
VAA_API vaa_status vaa_stats_poisson(int64_t k, double mean, double *out_p_at_least, double *out_p_at_most, vaa_error **err);

/* ---- distributions at one position; nats ---- */

/* KL(p || q), KL(q || p), Jensen and Shannon's divergence, total variation, Bhattacharyya's coefficient, Hellinger's distance. Of probabilities, whose sums are within 1e-5 of 1 and
 * are not normalised: KL is sum (p log(p / q) - p + q). */
VAA_API vaa_status vaa_stats_distances(vaa_f64s p, vaa_f64s q, double *out_kl_pq, double *out_kl_qp, double *out_js, double *out_tv, double *out_bhattacharyya, double *out_hellinger,
                                       vaa_error **err);
/* The same of the softmax of logits, p being the reference's; -infinity is a probability of 0. */
VAA_API vaa_status vaa_stats_distances_of_logits(vaa_f64s reference, vaa_f64s target, double *out_kl_pq, double *out_kl_qp, double *out_js, double *out_tv, double *out_bhattacharyya,
                                                 double *out_hellinger, vaa_error **err);
/* A lower bound of KL(reference || target) from the likeliest tokens of each side: what is outside the ids common to both counts as one outcome. Also their number and their probability
 * on each side. Ids of a list differ; logprobs are finite and at most 0, the sum of a side's probabilities at most 1 + 1e-5. */
VAA_API vaa_status vaa_stats_kl_from_top_k(vaa_ids reference_ids, vaa_f64s reference_logprobs, vaa_ids target_ids, vaa_f64s target_logprobs, double *out_kl_at_least,
                                           int64_t *out_common, double *out_reference_mass, double *out_target_mass, vaa_error **err);
/* From the logprobs of chosen tokens, which were drawn from the target; r = target - reference. k1 = mean r, k2 = mean r^2 / 2, k3 = mean (exp(-r) - 1 + r), all estimating
 * KL(target || reference) (Schulman 2020); mean |r|, the largest |r|, mean exp |r|. */
VAA_API vaa_status vaa_stats_kl_estimates(vaa_f64s reference_logprobs, vaa_f64s target_logprobs, double *out_k1, double *out_k2, double *out_k3, double *out_mean_difference,
                                          double *out_most_difference, double *out_mean_factor, vaa_error **err);

/* The first divergence of two greedy outputs: each side's likeliest tokens there and the one that it chose, which must be among them. swing = reference_gap + target_gap =
 * [lp_ref(r) - lp_ref(t)] + [lp_tgt(t) - lp_tgt(r)]; where a list does not hold the other side's token its last logprob stands for that one's, and the swing is a lower bound
 * (*out_is_bound 1). *out_class is a VAA_SWING_*. */
enum {
  VAA_SWING_EXACT_TIE = 0,   /* 0 */
  VAA_SWING_NEAR_TIE = 1,    /* at most tau */
  VAA_SWING_SUSPECT = 2,     /* above tau */
  VAA_SWING_UNDETERMINED = 3 /* a bound of at most tau: a longer list is needed */
};
VAA_API vaa_status vaa_stats_swing(vaa_ids reference_ids, vaa_f64s reference_logprobs, int32_t reference_token, vaa_ids target_ids, vaa_f64s target_logprobs, int32_t target_token,
                                   double tau, double *out_reference_gap, double *out_target_gap, double *out_swing, int32_t *out_is_bound, int32_t *out_class, vaa_error **err);

/* ---- while runs come: valid whenever one looks and stops ---- */

enum { VAA_SPRT_GO_ON = 0, VAA_SPRT_LOW = 1, VAA_SPRT_HIGH = 2 };
/* Wald's test (1945) of the failure rate p0 against p1 > p0 by the log likelihood ratio: at most *out_low = log(beta / (1 - alpha)), p0 is accepted; at least *out_high =
 * log((1 - beta) / alpha), p1 is. alpha + beta < 1. *out_decision is a VAA_SPRT_*; *out_clean_runs the further runs without a failure until p0 is accepted, 0 where it is decided. */
VAA_API vaa_status vaa_stats_sprt(int64_t k, int64_t n, double p0, double p1, double alpha, double beta, double *out_log_ratio, double *out_low, double *out_high,
                                  int32_t *out_decision, int64_t *out_clean_runs, vaa_error **err);
/* The evidence against the rate p0: likelihood under a Beta(1/2, 1/2) prior over that under p0; if the rate is p0 the chance that it ever reaches 1 / alpha is at most alpha. p = min(1, 1 / e).
 * e_above and p_above: against "p0 or less", the prior being cut to (p0, 1). */
VAA_API vaa_status vaa_stats_e_value(int64_t k, int64_t n, double p0, double *out_e, double *out_p, double *out_e_above, double *out_p_above, vaa_error **err);
/* All rates with e < 1 / (1 - confidence): at every n at once they hold the true one with this confidence. n = 0: [0, 1]. */
VAA_API vaa_status vaa_stats_confidence_sequence(int64_t k, int64_t n, double confidence, double *out_low, double *out_high, vaa_error **err);

/* ---- two samples of answers, ids only ---- */

/* Whether answers to the same prompts come from one distribution: the unbiased squared maximum mean discrepancy with the Hamming kernel over pairs of one prompt (Gretton and others 2012), and p by
 * permutation within each prompt. prompts[i] is the prompt of answer i (any number), lengths[i] the count of its ids, which follow one another in `ids`. All splits are tried where they are
 * at most `permutations` (1 to 10^6; *out_exact 1), and otherwise that many random ones of this seed; p = *out_at_least / *out_splits, the observed split counting in both: (1 + b) / (1 + B),
 * never 0. Every prompt has an answer on both sides, one has two in the reference and one in the target; at most 2^24 pairs, and 10^11 pairs times
 * permutations or times the longest length. Cost: those products, some 4e8 a second. */
VAA_API vaa_status vaa_stats_mmd(vaa_i64s reference_prompts, vaa_i64s reference_lengths, vaa_ids reference_ids, vaa_i64s target_prompts, vaa_i64s target_lengths, vaa_ids target_ids,
                                 int64_t permutations, uint64_t seed, double *out_mmd2, double *out_p, int64_t *out_at_least, int64_t *out_splits, int32_t *out_exact,
                                 vaa_error **err);

/* ---- how many are needed, and what can be seen with those there are; a need above 2^53 is 2^53 ---- */

/* Runs without a failure that exclude `rate` at level alpha: the least n with (1 - rate)^n <= alpha, which is also how many show a fault of that rate but for a chance of alpha; the same by
 * Poisson's formula; and those after each of which one may look (e_value). */
VAA_API vaa_status vaa_stats_clean_runs_needed(double rate, double alpha, int64_t *out_exact, int64_t *out_poisson, int64_t *out_anytime, vaa_error **err);
/* Runs for which a test against `ceiling` fires but for a chance of beta when the rate is `rate` > ceiling. This one and those below by the normal approximation. */
VAA_API vaa_status vaa_stats_samples_needed_above(double rate, double ceiling, double alpha, double beta, int64_t *out_n, vaa_error **err);
/* sides: 2 where an effect of either sign counts, 1 where one does. In each of two independent groups of rates p1 != p2. */
VAA_API vaa_status vaa_stats_group_size_needed(double p1, double p2, double alpha, double beta, int32_t sides, int64_t *out_n, vaa_error **err);
/* Means of two independent groups of n, each of standard deviation sigma: the difference at which the test fires, and the one that it finds but for a chance of beta. */
VAA_API vaa_status vaa_stats_unpaired_detectable(double sigma, int64_t n, double alpha, double beta, int32_t sides, double *out_threshold, double *out_detectable, vaa_error **err);
/* n pairs of right and wrong of which a share `discordance` flips: the difference that is found; and the pairs for a given one. */
VAA_API vaa_status vaa_stats_paired_detectable(double discordance, int64_t n, double alpha, double beta, int32_t sides, double *out_detectable, vaa_error **err);
VAA_API vaa_status vaa_stats_pairs_needed(double discordance, double effect, double alpha, double beta, int32_t sides, int64_t *out_n, vaa_error **err);
/* Questions for a difference of `effect` between two models that answer each question repeats_a and repeats_b times (Miller 2024): between is the variance over questions of the difference of
 * the mean scores, within_* that of one answer's score to a question: (z_alpha + z_beta)^2 (between + within_a / repeats_a + within_b / repeats_b) / effect^2. */
VAA_API vaa_status vaa_stats_questions_needed(double between, double within_a, double within_b, double repeats_a, double repeats_b, double effect, double alpha, double beta,
                                              int32_t sides, int64_t *out_n, vaa_error **err);
/* Repeats of `questions` questions until a mean whose answers vary by `within` (a variance) about each question's mean is told from another one of variance other_variance: the least r with
 * z^2 (within / (questions r) + other_variance) <= effect^2; 0 where no number suffices. */
VAA_API vaa_status vaa_stats_repeats_needed(double within, int64_t questions, double other_variance, double effect, double alpha, double beta, int32_t sides, int64_t *out_repeats,
                                            vaa_error **err);

#ifdef __cplusplus
}
#endif
#endif
