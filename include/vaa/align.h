/* vaa/align.h: would two setups sample alike? What an engine really uses for a request, field by field and where it comes from; the differences that matter and why. docs/align.md.
 *
 * A setup is a JSON object (vaa.setup/1), every member but engine optional:
 *   "engine": a name (vllm, vllm_ascend, sglang, llama_cpp, hf, trtllm, mindie, openai) or an object of the form of docs/align.md; "engine_version": text, shown only;
 *   "entry": chat (default where there is one), completions, offline;
 *   "launch": the command line, as text or as a list of words; it is never run;
 *   "generation_config": the model's generation_config.json as an object, null: the model has none; left out: not known;
 *   "request": members of the request's body; null members are as if they were not there;
 *   "sampler": the profile or the rules of vaa_engine_new, where it is not that of the engine. */
#ifndef VAA_ALIGN_H
#define VAA_ALIGN_H

#include "vaa/records.h"
#include "vaa/report.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Both sides as a report of kind "align": pass, no difference changes the law of answers; fail, one does; undecided, a value that could is not known. VAA_ERROR_OPTION names side and member. */
VAA_API vaa_status vaa_align(vaa_str reference, vaa_str target, vaa_report **out_report, vaa_error **err);
/* One side: {"engine", "entry", "fields": [{"name", "value", "from", "asked"}]}; value null: not known, and `from` says what is missing; "asked": what the engine changed. */
VAA_API vaa_status vaa_effective_parameters(vaa_str setup, vaa_text **out_text, vaa_error **err);
/* The setup of a shell script that starts a known engine: its first such command, read and never run. VAA_ERROR_FORMAT: there is none. */
VAA_API vaa_status vaa_setup_of_script(vaa_str script, vaa_text **out_text, vaa_error **err);
/* The setup that a run records: engine and launch from its header, parameters from its first 1,000 samples; those that differ between samples are in "varying". */
VAA_API vaa_status vaa_setup_of_records(const vaa_records *records, vaa_text **out_text, vaa_error **err);
/* The engines whose defaults are known; "" for an index outside [0, count); static. */
VAA_API int32_t vaa_defaults_count(void);
VAA_API vaa_str vaa_defaults_name(int32_t index);

#ifdef __cplusplus
}
#endif
#endif
