/* vaa/metrics.h: what an engine counted, from its /metrics pages (Prometheus text, OpenMetrics). Scrapes are pushed in the order of time, by one server each; the increases
 * are over all of them, a counter that went back is a restart (counted, and the increase starts again from 0), `_created` twins are passed over. */
#ifndef VAA_METRICS_H
#define VAA_METRICS_H

#include "vaa/report.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vaa_metrics vaa_metrics;

VAA_API vaa_status vaa_metrics_new(vaa_metrics **out_metrics, vaa_error **err);
/* One page, scraped at `time_s` (Unix time). A malformed line is counted and passed over; VAA_ERROR_FORMAT where no line of it is a metric, VAA_ERROR_ARGUMENT where
 * time goes back, VAA_ERROR_CAPACITY over 65536 counted series: then nothing of the page is taken. Linear in the page. */
VAA_API vaa_status vaa_metrics_push(vaa_metrics *metrics, vaa_str page, double time_s, vaa_error **err);
/* What was counted (JSON, vaa.counters/1): {"schema", "scrapes", "from_s", "to_s", "bad_lines", "engines": [{"engine", "model", "kind": "vllm" | "sglang" | "llamacpp",
 * "restarts", "spec": {"drafts", "draft_tokens", "accepted_tokens", "accepted_per_position": []}, "prefix_cache": {"queries", "hits"}, "preemptions",
 * "requests": {"stop", "length", "abort", …}, "prompt_tokens", "generation_tokens", "running_max", "waiting_max"}]}. One entry an engine (data-parallel rank), never a sum.
 * What the pages do not have is null: not exposed is not 0; and so is every increase of a single scrape. A series that a later page has first began at 0. Of old and new names of one count the new
 * one is taken; ranks that count the same once more (tp_rank, pp_rank above 0) are passed over. `requests` is by finish reason, where the engine tells it. */
VAA_API vaa_status vaa_metrics_counted(const vaa_metrics *metrics, vaa_text **out_text, vaa_error **err);
VAA_API void vaa_metrics_free(vaa_metrics *metrics);

#ifdef __cplusplus
}
#endif
#endif
