/* vaa/compare.h: two runs, one verdict. Is the target worse than the reference, the same, or is it noise; what the newly wrong answers died of; how many more answers would settle it.
 *
 * Stock runs (sampled, text only) are compared by question: score, account of wrong answers, flags, lengths, finish reasons. Repeats of a question are a bag without order; questions are the
 * independent units. docs/compare.md has the method and the margins. */
#ifndef VAA_COMPARE_H
#define VAA_COMPARE_H

#include "vaa/check.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vaa_comparison vaa_comparison;

/* The run that a sample belongs to. */
enum { VAA_SIDE_REFERENCE = 0, VAA_SIDE_TARGET = 1, VAA_SIDE_REFERENCE_AGAIN = 2, VAA_SIDE_TARGET_AGAIN = 3 };

/* Options. "change": what was changed on purpose, which picks the margins: none, schedule, parallel, version (default), hardware, quant, spec; "primary": score (default where scores are recorded)
 * tokens, flags or law: the family that is tested alone at 5 %, the others under Holm; "baseline": "k/n" broken answers before a fix ("is it fixed"); "text": false leaves every text out; "reference_again", "target_again": true where the
 * run comes a second time, as another side, so that the engine's own noise is measured; "noise": the text of a vaa.noise/1 profile instead. The checker must outlive the comparison. */
VAA_API vaa_status vaa_comparison_new(const vaa_checker *checker, vaa_str options, vaa_comparison **out_comparison, vaa_error **err);
/* One sample of one run, in any order. Linear in the sample; some 130 bytes and its id are kept of it, and 25 bytes of each position whose ids are compared. Answers with ids wait for their
 * partners in up to 64 MiB of memory, beyond it in a temporary file without a name (VAA_ERROR_IO where that has no room). A side that the options do not declare is VAA_ERROR_ARGUMENT. */
VAA_API vaa_status vaa_comparison_push(vaa_comparison *comparison, int32_t side, const vaa_sample *sample, vaa_error **err);
/* The report's verdict: 0 equivalent or no difference found, 1 worse, 2 not comparable, 3 undecided. The document: docs/report.schema.json, kind "compare". */
VAA_API vaa_status vaa_comparison_report(const vaa_comparison *comparison, vaa_report **out_report, vaa_error **err);
VAA_API void vaa_comparison_free(vaa_comparison *comparison);

/* The loop over inputs of any formats, side by side; reference_again and target_again (NULL: none) are second runs of the two, which declare themselves. Options: those of vaa_comparison_new, and "threads": 1 to 1024, default 1. The answer is the same for any number of threads. `task` may be NULL. */
VAA_API vaa_status vaa_compare_records(const vaa_checker *checker, const vaa_records *reference, const vaa_records *target,
                                       const vaa_records *reference_again, const vaa_records *target_again, vaa_str options, vaa_task *task, vaa_report **out_report,
                                       vaa_error **err);

#ifdef __cplusplus
}
#endif
#endif
