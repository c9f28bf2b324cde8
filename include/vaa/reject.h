/* vaa/reject.h: is speculative decoding right? The audit by counters: what engines count of drafts, in scrapes of /metrics, in logs and in what requests record, says whether drafts are made and accepted at
 * all, from when on not, on which rank, and whether the counts can be. docs/reject.md has the checks. Normal counters do not prove a right law.
 *
 * Push what there is, in any order and number; ask for the report, as often as one likes. */
#ifndef VAA_REJECT_H
#define VAA_REJECT_H

#include "vaa/records.h"
#include "vaa/report.h"
#include "vaa/task.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vaa_audit vaa_audit;

/* Options: "floor": the share of drafts with something accepted below which it is none, default 0.01; "margin": a fall of the acceptance rate that does not count, default 0.05; "tokens_per_draft": the most
 * that a draft has where drafts are not counted, 1 to 128, default 8; "configured": true where speculation is known to be configured, though no counter says so. */
VAA_API vaa_status vaa_audit_new(vaa_str options, vaa_audit **out_audit, vaa_error **err);
/* A file or folder, found by content: a metrics page (.gz, .zst; several one behind the other), a log, records. Streams. Options: "time_s" of a page (default: what the file, its name or its date say), "server": its
 * name, where several are held apart (default: by file and folder), "speculation": on or off, of records that do not say it themselves, "format" of records. VAA_ERROR_FORMAT where nothing of it is evidence. `task` may be
 * NULL. After a failure what was read until then stays. */
VAA_API vaa_status vaa_audit_push_file(vaa_audit *audit, vaa_str path, vaa_str options, vaa_task *task, vaa_error **err);
/* One metrics page of one server ("" where there is one only), scraped at time_s (Unix time; NaN: not known, then pages are in the order of the calls). VAA_ERROR_FORMAT where no line of it is a metric: then nothing of it is
 * taken. Linear in the page; a few numbers an engine are kept. */
VAA_API vaa_status vaa_audit_push_page(vaa_audit *audit, vaa_str server, vaa_str page, double time_s, vaa_error **err);
/* The next bytes of a server's log, cut anywhere; `last`: not 0 at its end. */
VAA_API vaa_status vaa_audit_push_log(vaa_audit *audit, vaa_str server, vaa_str bytes, int32_t last, vaa_error **err);
/* One answer. speculation: 1 on, 0 off, -1 not known; what the sample records of its drafts goes before it. */
VAA_API vaa_status vaa_audit_push_sample(vaa_audit *audit, const vaa_sample *sample, int32_t speculation, vaa_error **err);
/* The report on all of it. Verdict: 0 nothing wrong is shown, 1 something is, 2 nothing of speculation was counted, 3 undecided. The document: docs/report.schema.json, kind "reject". */
VAA_API vaa_status vaa_audit_report(const vaa_audit *audit, vaa_report **out_report, vaa_error **err);
VAA_API void vaa_audit_free(vaa_audit *audit);

#ifdef __cplusplus
}
#endif
#endif
