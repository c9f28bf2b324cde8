/* vaa/report.h: what a judge concludes. A report is a JSON document (schema: docs/report.schema.json); this header reads numbers and
 * columns out of it without parsing, renders it, and writes it to a file. A report is const once made and may be shared by threads. */
#ifndef VAA_REPORT_H
#define VAA_REPORT_H

#include "vaa/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vaa_report vaa_report;
typedef struct vaa_text vaa_text;

/* The text that a call returned; followed by a NUL. */
VAA_API vaa_str vaa_text_str(const vaa_text *text);
/* A copy of `text`, for a library that is written upon vaa and returns texts in its manner. */
VAA_API vaa_status vaa_text_new(vaa_str text, vaa_text **out_text, vaa_error **err);
VAA_API void vaa_text_free(vaa_text *text);

/* The verdict; also the exit code of the command. */
enum {
  VAA_VERDICT_PASS = 0,     /* no difference, or nothing above what healthy engines show */
  VAA_VERDICT_FAIL = 1,
  VAA_VERDICT_NOT_CHECKED = 2, /* nothing could be judged */
  VAA_VERDICT_UNDECIDED = 3 /* more samples are needed; the report says how many */
};
VAA_API int32_t vaa_report_verdict(const vaa_report *report);

/* A number of the document by JSON pointer (RFC 6901), such as "/counts/samples"; true and false are 1 and 0.
 * VAA_ERROR_NOT_FOUND where the pointer leads nowhere, VAA_ERROR_ARGUMENT where it leads to something that is no number. Cost: the depth of the pointer times the width of the objects on its way. */
VAA_API vaa_status vaa_report_number(const vaa_report *report, vaa_str pointer, double *out_number, vaa_error **err);

/* A numeric column of a table, as doubles (null is NaN), borrowed from the report. VAA_ERROR_NOT_FOUND names the tables or columns that exist. */
VAA_API vaa_status vaa_report_column(const vaa_report *report, vaa_str table, vaa_str column, vaa_f64s *out_column, vaa_error **err);

/* The report in words. Options: "format": "json" (default), "text", "markdown", "noise" (the vaa.noise/1 profile of a comparison, VAA_ERROR_NOT_FOUND where none was measured); "lang": "en" (default), "zh";
 * "color": bool (text only, default false); "width": columns of the terminal, 40 to 500 (text only, default 100). */
VAA_API vaa_status vaa_report_render(const vaa_report *report, vaa_str options, vaa_text **out_text, vaa_error **err);

/* vaa_report_render into a file: written beside it under another name and renamed when complete, so `path` holds all of it or what it held before. */
VAA_API vaa_status vaa_report_write(const vaa_report *report, vaa_str path, vaa_str options, vaa_error **err);

/* One JSON document a sample, a line each, in input order, as far as the option max_rows of the call that made the report kept them (schema:
 * docs/sample-result.schema.json). Borrowed from the report. */
VAA_API vaa_str vaa_report_samples(const vaa_report *report);

/* The report that was written as JSON (vaa_report_render, vaa_report_write), to be rendered again or read; its samples and the columns of tables that stand in it by name only are not
 * in the document. VAA_ERROR_FORMAT where it is none of vaa.report/1. */
VAA_API vaa_status vaa_report_from_json(vaa_str json, vaa_report **out_report, vaa_error **err);

VAA_API void vaa_report_free(vaa_report *report);

#ifdef __cplusplus
}
#endif
#endif
