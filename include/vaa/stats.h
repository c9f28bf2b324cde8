/* vaa/stats.h: the statistics of accuracy work. Pure functions of numbers: no state, no threads, the same bits on every machine and for any order of the observations.
 *
 * Counts are whole numbers of [0, 2^53], confidences and levels lie above 0 and below 1; NaN, a negative count, k > n, an array that is empty or of another size than its
 * partner are VAA_ERROR_ARGUMENT, whose message names the parameter, the value and what is allowed. A result that does not exist (a standard error of one value, 0 / 0) is
 * NaN, an infinite one infinity. p values are two-sided unless said. Every out_* must be given. docs/statistics.md says when to use which. */
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

#ifdef __cplusplus
}
#endif
#endif
