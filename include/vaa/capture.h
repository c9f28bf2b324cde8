/* vaa/capture.h: questions to OpenAI-compatible servers (vLLM, vLLM-Ascend, SGLang, llama.cpp, MindIE), and their answers as samples. A library of its own, libvaa_capture
 * over libcurl, written against vaa's public API; not a part of vaa.h.
 *
 * An asker keeps hundreds of requests in flight on the caller's thread. It belongs to one thread at a time; a vaa_task cancels it from any other. Keys come from a file or an
 * environment variable that an option names, and never stand in a record, report or message. A task tells of a call here: samples answered of total (0: not known), failed of
 * them, done in tokens. TLS is verified. Nothing is asked twice that was answered once, but what `retries` allows. */
#ifndef VAA_CAPTURE_H
#define VAA_CAPTURE_H

#include "vaa/records.h"
#include "vaa/report.h"
#include "vaa/sample.h"
#include "vaa/task.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vaa_asker vaa_asker;

/* Options of the servers. "urls": list of base URLs, such as "http://127.0.0.1:8000/v1" (1 to 64; "/v1" may be left out); "engine": auto (default; found by asking), vllm,
 * vllm_ascend, sglang, llamacpp, mindie, openai; "model": the name to ask for (default: the only one served); "key_env", "key_file": where the key is; "headers": list of "Name: value";
 * "ca_file"; "proxy" (default: none, not that of the environment; "env": that of the environment).
 * Of the requests. "concurrency": in flight at once, 1 to 4096, default 32; "rate": requests begun a second, 0 (default): no limit; "connect_timeout_s", default 10; "idle_timeout_s": without
 * a byte, default 300; "timeout_s": of one request, default 0: none; "retries": of what may be asked again (connection refused or lost before the first byte, 408, 429, 502, 503, 504), 0 to 20, default 4;
 * "max_retry_wait_s": longest wait before one, Retry-After included, default 60. */
VAA_API vaa_status vaa_asker_new(vaa_str options, vaa_asker **out_asker, vaa_error **err);
VAA_API void vaa_asker_free(vaa_asker *asker);

/* What the servers are and what they give, by asking them (/version, /v1/models, one trial request of 2 tokens each): a JSON list of vaa.server/1 objects, in the order of "urls": {"schema", "url",
 * "engine", "version", "model", "models", "max_model_len", "gives": {"token_ids", "prompt_token_ids", "finish_reason", "logprobs", "top_logprobs", "stream", "usage", "prompt_as_ids",
 * "tokenize", "metrics"}, "problems": [], "problems_zh": [] (the same in Chinese)}; a thing is true, false or null (not known). Cost: six small requests a server. VAA_ERROR_IO where a server cannot be reached, with its URL and what to do. */
VAA_API vaa_status vaa_asker_servers(vaa_asker *asker, vaa_task *task, vaa_text **out_text, vaa_error **err);

/* The /metrics page of the URL at `index` of "urls", as it came: one GET, nothing else is asked. VAA_ERROR_IO where none comes within 10 s. For vaa_audit_push_page and vaa_metrics_push. */
VAA_API vaa_status vaa_asker_metrics(vaa_asker *asker, int64_t index, vaa_task *task, vaa_text **out_text, vaa_error **err);

/* One request into the queue: a line of an OpenAI batch file ({"custom_id", "method", "url", "body"}), sent as it is but for the model's name; servers take turns. Nothing
 * is sent before vaa_asker_next. VAA_ERROR_FORMAT names what is wrong with it. */
VAA_API vaa_status vaa_asker_push(vaa_asker *asker, vaa_str request_line, vaa_error **err);
/* Works until a sample has arrived, in the order of completion; *out_more is 0 when nothing is in the queue or in flight. A request that failed for good is a sample with its error.
 * After VAA_ERROR_CANCELLED what was not answered is dropped. Times in samples are exact to a millisecond. */
VAA_API vaa_status vaa_asker_next(vaa_asker *asker, vaa_task *task, vaa_sample *sample, int32_t *out_more, vaa_error **err);

/* Asks what `input` holds (a file of OpenAI batch lines, or any run that vaa_records_open reads) and appends each answer to `out_path` as it arrives (vaa.record/1 lines after a vaa.run/1 header;
 * extra.ask: {"key", "custom_id", "hash", "tries"}). With several "urls" each question is asked of each. Killed at any byte and called again with "resume", it loses nothing and asks nothing twice; answers that had failed are
 * taken out of the file and asked again, a question that was edited is asked anew. VAA_ERROR_CANCELLED and a full disk leave whole answers in the file. Options: "for": quality (default), compare, spec, cache: which fields the requests get, so that the path
 * under test is left alone; "flag": only samples with this flag ("any": with one of severity fail); "sample": that many of them, drawn by "seed" (default 1); "repeat": times each is asked, 1 to 10000; "max_tokens", "temperature",
 * "top_p", "top_k", "request_seed": instead of what the input says; "top_logprobs": 0 to 20; "stream": bool, default true; "resume", "force": what to do with an `out_path` that exists (default: an error); "metrics_every_s": default 10;
 * "dry_run": bool, nothing is sent but the small requests of vaa_asker_servers, and `out_path` gets the requests as they would be sent, as batch lines.
 * The report (kind "ask") says how many were answered, failed, skipped; what the server did not give; and from its counters whether the path under test ran. */
VAA_API vaa_status vaa_ask(vaa_asker *asker, vaa_str input, vaa_str out_path, vaa_str options, vaa_task *task, vaa_report **out_report, vaa_error **err);

/* Cuts answers of `run` at absolute positions (the prompt counted in) into prefix ids, and asks for 32 greedy tokens with top-20 logprobs after each: the first token tests prefill at that position, the others decode.
 * Options: "at": list of positions ("1K,4K-64,4K+64": K is 1024); "flag", "ids", "sample", "seed": which answers; "tokens", default 32; "reencode": bool, ids that are not recorded are taken from the server's /tokenize and
 * marked re-encoded; "resume", "force". With two or more URLs each rung is asked of each, and the report (kind "ladder") compares them with the first, position by position. */
VAA_API vaa_status vaa_ladder(vaa_asker *asker, vaa_str run, vaa_str out_path, vaa_str options, vaa_task *task, vaa_report **out_report, vaa_error **err);

/* Halves to the first absolute position from which two servers (two "urls", the first is the reference) part. Its own A/A comes first: the reference against itself, "repeat" times (default 4), also at another concurrency;
 * the target must part from the reference by more than that. Options: those of vaa_ladder but "at"; "low", "high": positions to search between; "config": the model's config.json, whose structural numbers (original_max_position_embeddings,
 * sliding_window, …) are named where one lies in the interval; "structure": list of "name=number" more. Verdict: pass (no difference, with the size that would have been seen), fail (with the interval of positions), undecided. */
VAA_API vaa_status vaa_bisect(vaa_asker *asker, vaa_str run, vaa_str out_path, vaa_str options, vaa_task *task, vaa_report **out_report, vaa_error **err);

/* Asks the cases of `input` "repeat" times (default 10) on each URL and at each of "concurrencies" (list of numbers, default those of the asker), and judges the answers with vaa's detectors: k of n with 95 % intervals, the same text or not.
 * Options: those of vaa_ask but "metrics_every_s" and "dry_run", and "ids": only these cases; "flag": what counts as bad (default: the flag that the input says, else "any"); "stop_after": a case is not asked again on a URL at a concurrency after that many bad answers there (0, default: never), declared in the report. */
VAA_API vaa_status vaa_ask_again(vaa_asker *asker, vaa_str input, vaa_str out_path, vaa_str options, vaa_task *task, vaa_report **out_report, vaa_error **err);

#ifdef __cplusplus
}
#endif
#endif
