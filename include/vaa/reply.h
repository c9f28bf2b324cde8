/* vaa/reply.h: what a server sent back, made into samples while its bytes arrive. There is no network in it: the bytes come from whatever received them (vaa_capture,
 * a client of your own, a proxy). Chat and completion responses of OpenAI-compatible servers, streamed or whole, SGLang's /generate, llama.cpp's /completion and MindIE's
 * /infer are told apart by content; an error body of any shape, a page of HTML, a stream that was cut or reports an error become a sample with its error, never an empty answer. */
#ifndef VAA_REPLY_H
#define VAA_REPLY_H

#include "vaa/sample.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vaa_reply vaa_reply;

/* Options: "max_event": bytes of one event or of a whole body, default 268435456, 1024 to 2^40. */
VAA_API vaa_status vaa_reply_new(vaa_str options, vaa_reply **out_reply, vaa_error **err);
/* A new response: forgets the last one and keeps its memory. `request` is the body that was sent (JSON; "" : not known): prompt, model and sampling parameters are taken
 * from it; what of it cannot be read is a problem of its samples. `start_s`: Unix time when it was sent, in seconds; NaN: not known. */
VAA_API vaa_status vaa_reply_begin(vaa_reply *reply, vaa_str request, double start_s, vaa_error **err);
/* The status line and what the headers say of the body. `content_type` "" : not given. */
VAA_API vaa_status vaa_reply_head(vaa_reply *reply, int32_t status, vaa_str content_type, vaa_error **err);
/* The next bytes of the body, after chunking and compression were undone, cut anywhere; `time_s`: Unix time when they arrived. Linear in the bytes. */
VAA_API vaa_status vaa_reply_push(vaa_reply *reply, vaa_str bytes, double time_s, vaa_error **err);
/* Output tokens of a stream that arrived so far, over all choices: ids, else entries of logprobs, where the server sends them, else chunks with output. */
VAA_API int64_t vaa_reply_tokens(const vaa_reply *reply);
/* The end of the body at `end_s`. `fault`: why the transport broke off, such as "connection reset by peer"; "" : it did not. */
VAA_API vaa_status vaa_reply_end(vaa_reply *reply, double end_s, vaa_str fault, vaa_error **err);
/* After vaa_reply_end: the next sample, one a choice by its index (repeat); *out_more is 0 when there is none left. There is always one: a response without an answer is a sample with its error, and
 * so is a stream that was cut (neither finish reason nor end mark), with what had arrived. Beside what the server said: start_s, end_s and ttft_s (the first chunk that brought output); stream_end; and in extra:
 *   "chunk_tokens": how many ids came with each chunk that brought output, a list of [tokens, chunks in a row], "[[1, 40], [3, 1]]"; where the server sends ids or logprobs
 *   "problems": {"count", "first": [{"line", "message"}], "notes"}: events that could not be read (max_event too) and what stayed out
 *   "fault": that of the transport, where the answer was whole or the server gave an error of its own; "body": the beginning of a response that is no answer
 *   "chunks_of_other_ids": chunks whose id is not that of the first */
VAA_API vaa_status vaa_reply_next(vaa_reply *reply, vaa_sample *sample, int32_t *out_more, vaa_error **err);
VAA_API void vaa_reply_free(vaa_reply *reply);

#ifdef __cplusplus
}
#endif
#endif
