/* vaa/calibrate.h: does the sampler draw what was asked? From chosen tokens and listed logprobs alone: no seed, no logits, no GPU.
 *
 * Samples with output.token_ids and output.top_logprobs are grouped by what was asked of them. In each group: tokens that top-k, top-p or min-p forbid (at temperature 0: not the likeliest), the
 * temperature that tokens behave like, whether draws are uniform under their law, raw or processed logprobs, what seeds do, tokens that come too often. docs/sampler-calibration.md has the method. */
#ifndef VAA_CALIBRATE_H
#define VAA_CALIBRATE_H

#include "vaa/records.h"
#include "vaa/report.h"
#include "vaa/task.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vaa_calibration vaa_calibration;

/* Options. What was asked, whatever samples record: "temperature": 0 to 100; "top_p"; "top_k" (0 and -1: off); "min_p". "logprobs": auto (default: as recorded, else by the lists), raw, processed. "engine":
 * a name or the rules of vaa_engine_new: whether the temperature comes before top-p and min-p, and what is greedy; not given: only what is illegal in either order is called illegal. "scored": true: the
 * lists are those of teacher-forced samples (forced.of), from another engine, and the others, pushed first, say what was asked. "vocab_size", "bos_id": ids whose excess is looked at beside token 0.
 * "temperature_margin": the share by which a temperature may be off, default 0.1. "seed": of the randomised PIT, default 0. "max_positions": that temperature and PIT are of, default 200000;
 * "max_groups": default 16. */
VAA_API vaa_status vaa_calibration_new(vaa_str options, vaa_calibration **out_calibration, vaa_error **err);
/* One sample. Linear in its lists, of which some 8 bytes an entry are kept; what cannot be judged is counted, not refused. */
VAA_API vaa_status vaa_calibration_push(vaa_calibration *calibration, const vaa_sample *sample, vaa_error **err);
/* The report's verdict: 0 all checks lie inside their margins, 1 one lies beyond, 2 nothing could be judged, 3 undecided. The document: docs/report.schema.json, kind "sampler". */
VAA_API vaa_status vaa_calibration_report(const vaa_calibration *calibration, vaa_report **out_report, vaa_error **err);
VAA_API void vaa_calibration_free(vaa_calibration *calibration);

/* The loop over a run; `scored` (NULL: none) holds teacher-forced samples of its answers. Options: those of vaa_calibration_new but "scored". What neither samples nor options say is taken from the
 * run's header where it names an engine (vaa_effective_parameters). `task` may be NULL. */
VAA_API vaa_status vaa_calibrate_records(const vaa_records *records, const vaa_records *scored, vaa_str options, vaa_task *task, vaa_report **out_report, vaa_error **err);

#ifdef __cplusplus
}
#endif
#endif
