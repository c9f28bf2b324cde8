/* vaa/check.h: is this answer broken? vaa_checker holds the configured detectors, const and shared; vaa_tally is a run in the making: push samples, get
 * their findings, ask for the report. vaa_check_records is that loop over files, on threads. */
#ifndef VAA_CHECK_H
#define VAA_CHECK_H

#include "vaa/records.h"
#include "vaa/task.h"
#include "vaa/vocab.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vaa_checker vaa_checker;
typedef struct vaa_tally vaa_tally;

/* severity: 1 info, 2 warn, 3 fail. confidence: 1 suspected, 2 certain. part: 0 text, 1 reasoning, 2 the sample as a whole. */
enum { VAA_INFO = 1, VAA_WARN = 2, VAA_FAIL = 3 };
enum { VAA_SUSPECTED = 1, VAA_CERTAIN = 2 };
enum { VAA_PART_TEXT = 0, VAA_PART_REASONING = 1, VAA_PART_SAMPLE = 2 };

/* One flag on one sample with its evidence. -1: does not apply or is not known. `unit` counts what onset_token and length_tokens are in when the sample has no text. */
typedef struct vaa_finding {
  int32_t flag;       /* index for vaa_flag_name */
  int32_t severity;
  int32_t confidence;
  int32_t part;
  int64_t onset_byte, length_bytes;   /* in the part */
  int64_t onset_char, length_chars;   /* Unicode code points (invalid bytes count one each) */
  int64_t onset_token, length_tokens; /* in output.token_ids, where the finding was made on ids */
  int64_t period_bytes, period_chars, period_tokens; /* loops: the primitive unit */
  int64_t count;      /* loops: copies of the unit; otherwise how many of the thing */
  double measure;     /* the number that decided, and what it was held against (docs/detectors.md says what it is for each flag); */
  double threshold;   /* NaN: the rule has no such number */
} vaa_finding;

/* Findings of one sample: borrowed from the tally until its next push. `unknown` has bit i set for each flag i whose state is unknown (64 flags at most). */
typedef struct vaa_findings {
  const vaa_finding *data;
  size_t size;
  uint64_t unknown;
} vaa_findings;

/* How many flags this version knows, and the name of each, such as "repetition_loop" ("" past the end). */
VAA_API int32_t vaa_flag_count(void);
VAA_API vaa_str vaa_flag_name(int32_t flag);
/* A JSON list: name, severity, ceiling, title and summary in English and Chinese. */
VAA_API vaa_status vaa_flags(vaa_text **out_text, vaa_error **err);
/* What stands behind a flag: the rule with its numbers, what it was measured on, traps, causes seen in engines, the next run to make. `name` empty: all of them. An unknown name
 * is VAA_ERROR_NOT_FOUND with the nearest one. Options: those of vaa_report_render, "lang" for JSON too: name, kind, severity, ceiling, title, summary, rule, calibration, traps, causes,
 * next; of all, JSON is a list, text a line for each. */
VAA_API vaa_status vaa_explain(vaa_str name, vaa_str options, vaa_text **out_text, vaa_error **err);

/* Options: "flags": list of names (default: all); "max_excerpt": bytes of an excerpt, 0 to 4096, default 120. `vocab` may be NULL (borrowed for the checker's life). */
VAA_API vaa_status vaa_checker_new(vaa_str options, const vaa_vocab *vocab, vaa_checker **out_checker, vaa_error **err);
VAA_API void vaa_checker_free(vaa_checker *checker);

/* Options: "baseline": a number of broken and of all, "k/n"; "expect": "metric=71.5[/n[xk]]"; "fail_on": list of "flag[:rate]" or "any"; "require": list of flags;
 * "max_rows": samples kept for vaa_report_samples, default 10000; "text": false leaves every text out of report and lines. The checker must outlive the tally. */
VAA_API vaa_status vaa_tally_new(const vaa_checker *checker, vaa_str options, vaa_tally **out_tally, vaa_error **err);
/* Linear in the sample; allocates nothing after warm-up. */
VAA_API vaa_status vaa_tally_push(vaa_tally *tally, const vaa_sample *sample, vaa_findings *out_findings, vaa_error **err);
/* The findings of the last push as one JSON document (docs/sample-result.schema.json); `sample` is the one that was pushed. */
VAA_API vaa_status vaa_tally_line(const vaa_tally *tally, const vaa_sample *sample, vaa_text **out_text, vaa_error **err);
VAA_API vaa_status vaa_tally_report(const vaa_tally *tally, vaa_report **out_report, vaa_error **err);
VAA_API void vaa_tally_free(vaa_tally *tally);

/* The loop over all samples of `records`. Options: those of vaa_tally_new, and "threads": 1 to 1024, default 1; "samples_path": a file for one JSON line a sample, in input order,
 * complete or absent; "samples_fd": an open file descriptor instead; "export_path" with "export_flag": the prompts of samples with that flag as request lines (OpenAI batch form);
 * "baseline_path": a run to compare with instead of the ceilings. The answer is the same for any number of threads. `task` may be NULL. */
VAA_API vaa_status vaa_check_records(const vaa_checker *checker, const vaa_records *records, vaa_str options, vaa_task *task, vaa_report **out_report, vaa_error **err);

#ifdef __cplusplus
}
#endif
#endif
