/* vaa/variants.h: several runs against one reference. Which of them are worse, when so many were looked at; which switch goes with the fault (an association, not a cause); is it the change or the time.
 *
 * Reports of comparisons go in (vaa_compare_records, vaa_comparison_report: each against the same reference), one report comes out. docs/compare.md has the method. */
#ifndef VAA_VARIANTS_H
#define VAA_VARIANTS_H

#include "vaa/compare.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vaa_variants vaa_variants;

/* Options. "reference": its name, default "reference"; "matrix": which switches were on in which run, as the text of a file: JSON {"run": {"switch": true, …}, …}, or comma- or tab-separated lines, the
 * first of "run" and the names of the switches; values are 1, 0, on, off, true, false, yes, no; a row for each run and the reference, named as they are or by the last part of their path; at most 64
 * switches and 1,024 runs; "again": true for A/B/A: three reports are pushed, the change against the reference, the reference once more against the reference, the change against that. */
VAA_API vaa_status vaa_variants_new(vaa_str options, vaa_variants **out_variants, vaa_error **err);
/* The report of one run against the reference, under its name. A report of another kind and a name that was given before are VAA_ERROR_ARGUMENT. The document is copied. */
VAA_API vaa_status vaa_variants_push(vaa_variants *variants, vaa_str name, const vaa_report *report, vaa_error **err);
/* The report's verdict: 2 where a run could not be compared, else 1 where one is worse under Holm over all runs, else 3 where one is undecided, else 0; with "again" 1 for a change that is
 * reproducible, 3 for one that is not or for a drift in time. The document: docs/report.schema.json, kind "variants". Cost: switches x flags x runs. A matrix that does not fit the names is
 * VAA_ERROR_OPTION. */
VAA_API vaa_status vaa_variants_report(const vaa_variants *variants, vaa_report **out_report, vaa_error **err);
VAA_API void vaa_variants_free(vaa_variants *variants);

/* The requests that would settle a comparison, as a file that `vaa ask` takes: one greedy token with its 20 likeliest at each first divergence that says too little, else each question where answers are
 * too few. `report` is of vaa_compare_records; `reference` is read a second time, one sample in memory. `path` is written whole or not at all, and not where there is nothing to ask. `out_plan` gets a
 * JSON object: "settles" (tokens, noise, answers, questions, nothing), "lines", "left_out", "steps" [{"en", "zh", "command"}] to run next, "missing" {"en", "zh"}: what is not recorded. `task` may be NULL. */
VAA_API vaa_status vaa_compare_asks(const vaa_report *report, const vaa_records *reference, vaa_str path, vaa_task *task, vaa_text **out_plan, vaa_error **err);

#ifdef __cplusplus
}
#endif
#endif
