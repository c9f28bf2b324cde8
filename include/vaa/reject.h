/* vaa/reject.h: is speculative decoding right? The audit by counters: what engines count of drafts, in scrapes of /metrics, in logs and in what requests record, says whether drafts are made and accepted at
 * all, from when on not, on which rank, and whether the counts can be. Normal counters do not prove a right law: verify steps, row by row, are held against it, by as much as is recorded of them. docs/reject.md
 * has the checks. What an engine must put out is the verifier's matter, below.
 *
 * Push what there is, in any order and number; ask for the report, as often as one likes. */
#ifndef VAA_REJECT_H
#define VAA_REJECT_H

#include "vaa/records.h"
#include "vaa/report.h"
#include "vaa/rng.h"
#include "vaa/task.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vaa_audit vaa_audit;

/* Options: "floor": the share of drafts with something accepted below which it is none, default 0.01; "margin": a fall of the acceptance rate that does not count, default 0.05; "law_margin": by how much a
 * probability of steps may be off, default 0.01; "tokens_per_draft": the most that a draft has where drafts are not counted, 1 to 128, default 8; "configured": true where speculation is known to be configured, though no counter says so. */
VAA_API vaa_status vaa_audit_new(vaa_str options, vaa_audit **out_audit, vaa_error **err);
/* A file or folder, found by content: a metrics page (.gz, .zst; several one behind the other), a log, records, a dump of steps (docs/reject-dump.md). Streams. Options: "time_s" of a page (default: what the file, its name or its date say), "server": its
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
/* Steps that follow are of this: the header of a dump as JSON, of which "vocab_size" is needed. Steps of the same server and rank under the same header are judged together. VAA_ERROR_OPTION. */
VAA_API vaa_status vaa_audit_begin_steps(vaa_audit *audit, vaa_str header, vaa_error **err);
/* What a push of steps has beside drafts and ids: `fields`, a sum of these. */
enum {
  VAA_STEP_P = 1,          /* the target's probability of each draft token, after temperature and cuts */
  VAA_STEP_Q = 2,          /* the draft law's */
  VAA_STEP_ARGMAX = 4,     /* the target's likeliest token at each draft token's place */
  VAA_STEP_ENTROPY = 8,    /* of the target's row there, in nats */
  VAA_STEP_UNIFORMS = 16,  /* of vaa_audit_push_rows alone */
  VAA_STEP_NOISE = 32
};
/* Rows of verify steps, one a request and step: its number, the tokens before it, its temperature (0: greedy), the draft tokens that were judged (-1: padding) and the ids that came out, uncut. Those of row r stand at
 * [ends[r - 1], ends[r]); `ends` may begin with 0 or without. p, q, argmax and entropy have one number a draft token where `fields` says so, and are not looked at elsewhere. VAA_ERROR_ARGUMENT names the row that
 * contradicts itself; then nothing is taken. Ids that no vocabulary has and probabilities that are none are no errors, but findings. Linear; after the first pushes nothing is allocated. */
VAA_API vaa_status vaa_audit_push_steps(vaa_audit *audit, vaa_i64s requests, vaa_i64s positions, vaa_f32s temperatures, vaa_i64s draft_ends, vaa_ids drafts, vaa_i64s id_ends, vaa_ids ids, vaa_f32s p, vaa_f32s q,
                                        vaa_ids argmax, vaa_f32s entropy, int32_t fields, vaa_error **err);
/* All probabilities of row `row` of the last push of steps: p of [drafts + 1, V] (or [drafts, V], without the bonus token's), q of [drafts, V], the uniforms that the acceptance tests drew, and the noise of the
 * recovered token as the header's "noise" says; q, uniforms and noise where `fields` has VAA_STEP_Q, _UNIFORMS, _NOISE. Some 20 passes over the rows. */
VAA_API vaa_status vaa_audit_push_rows(vaa_audit *audit, int64_t row, vaa_f32_rows p, vaa_f32_rows q, vaa_f64s uniforms, vaa_f64s noise, int32_t fields, vaa_error **err);
/* The report on all of it. Verdict: 0 nothing wrong is shown, 1 something is, 2 nothing of speculation was counted, 3 undecided. The document: docs/report.schema.json, kind "reject". */
VAA_API vaa_status vaa_audit_report(const vaa_audit *audit, vaa_report **out_report, vaa_error **err);
VAA_API void vaa_audit_free(vaa_audit *audit);

/* How a row stands to its drafts by ids alone: it is the accepted drafts and one token more. */
enum {
  VAA_ROW_RIGHT = 0,
  VAA_ROW_EMPTY = 1,
  VAA_ROW_HOLE = 2,                     /* -1 before its end */
  VAA_ROW_OUT_OF_VOCABULARY = 3,
  VAA_ROW_RECOVERED_EQUALS_DRAFT = 4,   /* drafts alone, without a token more */
  VAA_ROW_TOKENS_AFTER_REJECTION = 5
};
/* Of each row its VAA_ROW_* and the drafts that it says were accepted. Row r stands at [ends[r - 1], ends[r]). */
VAA_API vaa_status vaa_row_shapes(vaa_i64s draft_ends, vaa_ids drafts, vaa_i64s id_ends, vaa_ids ids, int64_t vocab_size, vaa_i64s_out shapes, size_t *out_shapes, vaa_i64s_out accepted, size_t *out_accepted,
                                  vaa_error **err);

/* The law of place `at` of a step under the token rule (fault "") or under a known fault, by its name or its number in docs/reject.md ("B01"): the chance that the draft is accepted when it is reached, the law of the
 * token in place of a rejected draft (all 0: none is rejected), the law of the token put out. p: [places, V], rows that add up to 1; q: the same of the drafts' law, no rows: drafts have none. drafts: up to `at`;
 * where they end before it the draft is open: it is of draft_law, or where that is empty of q, or of what the fault makes of it. Linear in V; of an open draft V^2. VAA_ERROR_ARGUMENT. */
VAA_API vaa_status vaa_step_law(vaa_str fault, vaa_f64_rows p, vaa_f64_rows q, vaa_ids drafts, vaa_f64s draft_law, int64_t at, double temperature, double *out_accept, vaa_f64s_out recovered, size_t *out_recovered,
                                vaa_f64s_out emitted, size_t *out_emitted, vaa_error **err);

/* ---- the verifier: what an engine must put out, given its drafts, probabilities and noise ----
 *
 * docs/verifier.md has every policy's contract and how they differ. A vaa_verifier owns its scratch memory and belongs to one thread; after the first batch vaa_verifier_run allocates nothing. */
typedef struct vaa_verifier vaa_verifier;

/* The known policies; "" for an index outside [0, count); static. */
VAA_API int32_t vaa_policy_count(void);
VAA_API vaa_str vaa_policy_name(int32_t index);

/* `policy` is the name of a known one, such as vllm_v1, or a JSON object of rules: {"base": "vllm_v2", "method": "block"}. A rule that nobody has established is "unknown": what depends on it is
 * VAA_ERROR_UNSUPPORTED, with how to measure it. Options: those of vaa_sampler_new ("input": "logits" or "probs", parameters, lists, "rounding", "threads"), and
 *   "draft_probs": "one_hot" (default: q is 1 at each draft), "values" (q of each draft), "rows";
 *   "layout": "flat": the target has a row a draft; "flat_with_bonus": of each request a row a draft and one behind; "padded": drafts [B, S], target [B, S + 1]. Default: the policy's;
 *   "cu": "inclusive" (default), "leading_zero";
 *   "check": "all" (default): every number given is checked; "read": those alone that a decision needs are read and checked;
 *   "boundary": 1e-6, relative: what is nearer to the other decision is marked; "sum_tolerance": 1e-5, by which a row's sum may be off 1 (float16: 1e-3). */
VAA_API vaa_status vaa_verifier_new(vaa_str policy, vaa_str options, vaa_verifier **out_verifier, vaa_error **err);
/* Its policy's rules as a JSON object, which vaa_verifier_new takes again. */
VAA_API vaa_status vaa_verifier_policy(const vaa_verifier *verifier, vaa_text **out_text, vaa_error **err);
VAA_API void vaa_verifier_free(vaa_verifier *verifier);

/* What became of a place: one of the first five, plus bits that may stand beside it. */
enum {
  VAA_PLACE_EMPTY = 0,
  VAA_PLACE_ACCEPTED = 1,
  VAA_PLACE_REJECTED = 2,           /* the draft there was; the id is the recovered token */
  VAA_PLACE_BONUS = 3,
  VAA_PLACE_PADDED = 4,             /* as rejected; the draft was -1 */
  VAA_PLACE_BOUNDARY = 16,          /* rounding may decide otherwise */
  VAA_PLACE_EMPTY_RESIDUAL = 32,    /* nothing was left to recover from: the id is by the policy's rule */
  VAA_PLACE_SUPPORT_VIOLATION = 64  /* the target gives the id probability 0 */
};

/* Verifies B requests.
 *   drafts, cu   cu_num_draft_tokens: one a request, or with the option one more and the first 0. A draft of -1 is padding.
 *   parents      methods siblings and multi_draft: of each draft the index among its request's of the one that it follows, -1 where it follows the last token; empty: a chain. Row 0 of a request's target
 *                judges the drafts that follow the last token, row 1 + i those that follow draft i.
 *   target       rows of logits or probabilities, by "layout". draft_probs: rows, or one column, of each draft; no rows for one_hot.
 *   history, spans   of the target's rows, as vaa_sampler_probs has them; empty: none. Row i counts the output and the drafts before it.
 *   params       VAA_PARAM_* of requests: no rows, one, or one each. Of probabilities they say which requests are greedy.
 *   uniforms     in [0, 1], one a draft; method siblings: one a row of the target. noise: of the recovered tokens (and of bonus tokens by the policy's rule "bonus"): a row a request or a row of the target,
 *                by the rule "noise", of V numbers (race: Exp(1); gumbel) or of one (inverse_cdf: [0, 1]); no rows: not given. bonus: one a request, -2 where it is not known; empty: none is.
 * Results are B rows of S + 1, S the most drafts of a request (padded: its S): ids (-1 behind the last; -2 where what decides it was not given), VAA_PLACE_* and margins log(p/q) - log u (NaN where nothing was
 * tested); and the number of accepted drafts, one a request. A fault is VAA_ERROR_ARGUMENT and names request, position and value. */
VAA_API vaa_status vaa_verifier_run(vaa_verifier *verifier, vaa_ids drafts, vaa_i64s cu, vaa_ids parents, vaa_f32_rows target, vaa_f32_rows draft_probs, vaa_ids history, vaa_i64s spans, vaa_f64_rows params,
                                    vaa_f64s uniforms, vaa_f32_rows noise, vaa_ids bonus, vaa_ids_out ids, size_t *out_ids, vaa_ids_out accepted, size_t *out_accepted, vaa_ids_out places, size_t *out_places,
                                    vaa_f64s_out margins, size_t *out_margins, vaa_error **err);

/* The exact law of one step of one request whose drafts are known, uniforms and noise not: target [n or n + 1, V], draft_probs [n, V] or no rows (one-hot), parents as above.
 *   acceptance   [n]: of each draft that its own test passes, given that it is made: min(1, p/q), of method block h
 *   lengths      [n + 1]: that so many are accepted
 *   emitted      as target, or no rows: the law of the token that is put out where the step comes to that row; recovered: of the one where nothing is accepted there. Zero where that cannot be. */
VAA_API vaa_status vaa_verifier_law(vaa_verifier *verifier, vaa_ids drafts, vaa_ids parents, vaa_f64_rows target, vaa_f64_rows draft_probs, vaa_f64s_out acceptance, size_t *out_acceptance, vaa_f64s_out lengths,
                                    size_t *out_lengths, vaa_f64_rows_out emitted, vaa_f64_rows_out recovered, vaa_error **err);
/* The law of the first token where the draft of a position is drawn from `drafted` and judged with `judged` (empty: as one-hot), and the expected acceptance, which is the sum of min(p, q) for the token rule.
 * candidates: drafts of the position, 1 but for method multi_draft. O(V); of methods without odds of a single draft all tuples. */
VAA_API vaa_status vaa_verifier_marginal(vaa_verifier *verifier, vaa_f64s target, vaa_f64s drafted, vaa_f64s judged, int64_t candidates, vaa_f64s_out marginal, size_t *out_marginal, double *out_acceptance,
                                         vaa_error **err);

/* What the generator of a seeded request draws in a step, in the engine's order, as a JSON array of {of, law, type, count}. speculative: 1 where some request of the batch has drafts. */
VAA_API vaa_status vaa_verifier_draws(const vaa_verifier *verifier, int32_t speculative, int64_t drafts, int64_t vocabulary, vaa_text **out_text, vaa_error **err);
/* Makes them with `rng`, which is the request's own and goes on from step to step: bonus and recovered [V], uniforms [drafts]. What is not drawn is left as it is. */
VAA_API vaa_status vaa_verifier_draw(const vaa_verifier *verifier, vaa_rng *rng, int32_t speculative, vaa_f32s_out bonus, vaa_f64s_out uniforms, vaa_f32s_out recovered, vaa_error **err);

/* vLLM's index arrays of a step: cu_num_draft_tokens, cu_num_sampled_tokens (without leading 0), and which rows of the logits judge a draft (its id is the input of the next row) or give the bonus token. */
VAA_API vaa_status vaa_draft_layout(vaa_i64s num_drafts, vaa_i64s_out cu_drafts, size_t *out_cu_drafts, vaa_i64s_out cu_sampled, size_t *out_cu_sampled, vaa_i64s_out target_rows, size_t *out_target_rows,
                                    vaa_i64s_out bonus_rows, size_t *out_bonus_rows, vaa_error **err);
/* Rows of ids as an engine put them out, without -1 and without ids of `vocabulary` and more, as vLLM parses them: ids, and where each row's end. */
VAA_API vaa_status vaa_emitted_rows(vaa_ids rows, int64_t columns, int64_t vocabulary, vaa_ids_out ids, size_t *out_ids, vaa_i64s_out ends, size_t *out_ends, vaa_error **err);
/* What FlashInfer's two counters come to, given the acceptance of each position: `emitted` is the accepted prefix, `accepted` tests the rejected position again and goes on. */
VAA_API vaa_status vaa_flashinfer_counters(vaa_f64s acceptance, double *out_emitted, double *out_accepted, vaa_error **err);

#ifdef __cplusplus
}
#endif
#endif
