/* vaa/records.h: samples from files and run folders. vaa_records describes an input and holds no position; it is const and shared by
 * threads. A vaa_cursor is one pass over it and belongs to one thread.
 *
 * The format is found by content (docs/formats.md; vaa_records_formats lists them), compression by the first bytes. A run folder of AISBench,
 * lm-eval or evalscope is read as a whole: answers, failed requests, scores and ids are joined. Samples come in input order, the files of a folder
 * in byte order of their paths. A line that cannot be read is counted with file and line, and the pass goes on. */
#ifndef VAA_RECORDS_H
#define VAA_RECORDS_H

#include "vaa/sample.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vaa_records vaa_records;
typedef struct vaa_cursor vaa_cursor;

/* Opens a file or a folder. Options: "format": a name of vaa_records_formats, instead of finding it by content; "text_field", "id_field", "prompt_field",
 * "finish_reason_field", "gold_field": paths such as "choices.0.text" (format jsonl, or any JSONL of no known format); "max_line": bytes, default 268435456, 1024 to 2^40.
 * Fails with VAA_ERROR_NOT_FOUND, VAA_ERROR_IO, VAA_ERROR_UNSUPPORTED (a known file of a kind that is not read, named) or VAA_ERROR_FORMAT. */
VAA_API vaa_status vaa_records_open(vaa_str path, vaa_str options, vaa_records **out_records, vaa_error **err);
VAA_API void vaa_records_free(vaa_records *records);
/* The run header (vaa.run/1, JSON) that the input fills; borrowed. */
VAA_API vaa_str vaa_records_run(const vaa_records *records);
/* The name of the format; borrowed. */
VAA_API vaa_str vaa_records_format(const vaa_records *records);
/* A JSON list of the formats: name, title, files, how each is found. */
VAA_API vaa_status vaa_records_formats(vaa_text **out_text, vaa_error **err);

VAA_API vaa_status vaa_cursor_new(const vaa_records *records, vaa_cursor **out_cursor, vaa_error **err);
/* Fills `sample` with the next one; *out_more is 0 at the end, where the sample is left cleared. */
VAA_API vaa_status vaa_cursor_next(vaa_cursor *cursor, vaa_sample *sample, int32_t *out_more, vaa_error **err);
/* What could not be read so far: {"count": n, "lines": [{"file", "line", "message"}]}, the first 100 of them. */
VAA_API vaa_status vaa_cursor_problems(const vaa_cursor *cursor, vaa_text **out_text, vaa_error **err);
VAA_API void vaa_cursor_free(vaa_cursor *cursor);

#ifdef __cplusplus
}
#endif
#endif
