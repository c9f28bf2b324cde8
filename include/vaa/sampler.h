/* vaa/sampler.h: the sampler that an engine declares, without the engine: which tokens are legal, with which probability, which one a given random number
 * picks, and what is reported as its logprob. docs/sampler.md says where engines differ.
 *
 * vaa_engine is configured, const, and shared by all threads. vaa_sampler owns scratch memory and belongs to one thread; after the first rows it allocates nothing. */
#ifndef VAA_SAMPLER_H
#define VAA_SAMPLER_H

#include "vaa/error.h"
#include "vaa/report.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vaa_engine vaa_engine;
typedef struct vaa_sampler vaa_sampler;

/* ---- how an engine samples ---- */

/* `options` is the name of a known engine, such as vllm_v1, or a JSON object of rules: {"base": "vllm_v1", "top_k_ties": "exact"}. Without "base" nothing is known but what the object says.
 * The rules, their values and those of the known engines: vaa_engine_json and docs/sampler.md. A rule that nobody has established is "unknown": a row that depends on it is refused
 * with VAA_ERROR_UNSUPPORTED and a message that says how to measure it and which rule to give. VAA_ERROR_NOT_FOUND lists the known engines. */
VAA_API vaa_status vaa_engine_new(vaa_str options, vaa_engine **out_engine, vaa_error **err);
/* Its rules as a JSON object, which vaa_engine_new takes again. */
VAA_API vaa_status vaa_engine_json(const vaa_engine *engine, vaa_text **out_text, vaa_error **err);
/* The known engines; "" for an index outside [0, count); static. */
VAA_API int32_t vaa_engine_count(void);
VAA_API vaa_str vaa_engine_name(int32_t index);
/* What the engine makes of a requested temperature: *out_greedy 1 where it takes the argmax, and the temperature that it divides by (1 where it is greedy). VAA_ERROR_ARGUMENT where the
 * engine refuses it. */
VAA_API vaa_status vaa_engine_temperature(const vaa_engine *engine, double asked, int32_t *out_greedy, double *out_temperature, vaa_error **err);
VAA_API void vaa_engine_free(vaa_engine *engine);

/* ---- a row's parameters ---- */

/* Columns of `params`; a name in lower case is the option of vaa_sampler_new that stands for all rows, with the default given here. */
enum {
  VAA_PARAM_TEMPERATURE = 0,        /* 1; at least 0. 0 is greedy where the engine has it so */
  VAA_PARAM_TOP_K = 1,              /* 0, -1, and whatever is no less than the vocabulary: off */
  VAA_PARAM_TOP_P = 2,              /* 1: off; above 0, at most 1 */
  VAA_PARAM_MIN_P = 3,              /* 0: off; 0 to 1 */
  VAA_PARAM_TYPICAL_P = 4,          /* 1: off; above 0, at most 1 */
  VAA_PARAM_REPETITION_PENALTY = 5, /* 1: off; above 0 */
  VAA_PARAM_FREQUENCY_PENALTY = 6,  /* 0: off */
  VAA_PARAM_PRESENCE_PENALTY = 7,   /* 0: off */
  VAA_PARAM_PENALTY_LAST_N = 8,     /* 64; ids that penalties look back on where the engine's scope is last_n; -1 all, 0 none */
  VAA_PARAM_MIN_TOKENS = 9,         /* 0: off; no id of the option stop_ids before that many ids were put out */
  VAA_PARAM_GREEDY = 10,            /* 0; 1: the argmax, whatever the temperature (do_sample false) */
  VAA_PARAM_COUNT = 11
};

/* The sampler of an engine, whose rules it copies. Options: the parameters above, and
 *   "logit_bias": {"ID": bias, ...}; "allowed_ids": [ids]; "bad_words": [[ids], ...]; "stop_ids": [ids], which "min_tokens" forbids;
 *   "rounding": "exact" (default: doubles), "fp32", "bf16": logits, probabilities and running masses rounded as an engine holds them between steps;
 *   "input": "logits" (default), "probs": rows hold probabilities, whose sum is within 1e-5 of 1, in place of their logits;
 *   "threads": 1 to 1024, default 1: rows of a call at once; results are the same bits for any number.
 * A parameter or list that is given and has no place in the engine's order is VAA_ERROR_OPTION. */
VAA_API vaa_status vaa_sampler_new(const vaa_engine *engine, vaa_str options, vaa_sampler **out_sampler, vaa_error **err);
VAA_API void vaa_sampler_free(vaa_sampler *sampler);

/* ---- rows ----
 *
 * Each call below takes rows alike:
 *   logits   [rows, V], in the model's order of ids. -infinity is a masked token; NaN, +infinity and a row of nothing but -infinity are refused.
 *   history  ids, and spans [3 * rows]: for each row where its prompt begins, where its output begins and where that ends, as indices of history. Spans may overlap, so rows of
 *            one sequence share its ids. No spans: rows without history. Ids outside [0, V) are refused.
 *   params   [1, VAA_PARAM_*] for all rows or [rows, VAA_PARAM_*]; columns that are missing, and NaN, are the options'. No rows: the options'.
 * A fault is VAA_ERROR_ARGUMENT and names row, parameter and value; the first row's is told. Cost: some 0.2 ms a row of 130,000. */

/* The law that the engine draws from: [rows, V], 0 for what is not legal. A greedy row has 1 for its argmax (of equal logits the lowest id). */
VAA_API vaa_status vaa_sampler_probs(vaa_sampler *sampler, vaa_f32_rows logits, vaa_ids history, vaa_i64s spans, vaa_f64_rows params, vaa_f64_rows_out probs, vaa_error **err);
/* The legal ids of each row, ascending: those of row r are out_kept[out_ends[r - 1], out_ends[r]). Borrowed from the sampler until its next call. */
VAA_API vaa_status vaa_sampler_kept(vaa_sampler *sampler, vaa_f32_rows logits, vaa_ids history, vaa_i64s spans, vaa_f64_rows params, vaa_ids *out_kept, vaa_i64s *out_ends, vaa_error **err);
/* The id that the engine picks with this noise, by its rule "draw": race: argmax p / E, [rows, V] of Exp(1), each at least 0; gumbel: argmax logit + G, [rows, V], finite; inverse_cdf:
 * the first id whose running mass exceeds u, [rows, 1] in [0, 1). Of equals the first wins. By the rule "draw_order" column (or walk) j is id j, or the j-th most likely. Greedy rows
 * ignore it. */
VAA_API vaa_status vaa_sampler_draw(vaa_sampler *sampler, vaa_f32_rows logits, vaa_ids history, vaa_i64s spans, vaa_f64_rows params, vaa_f64_rows noise, vaa_ids_out ids, size_t *out_size,
                                    vaa_error **err);

/* What an API reports as a token's logprob. */
enum {
  VAA_LOGPROBS_RAW = 0,             /* log-softmax of the row as it came */
  VAA_LOGPROBS_RAW_LOGITS = 1,
  VAA_LOGPROBS_PROCESSED = 2,       /* log-softmax after every stage; -infinity for what is not legal. Of a greedy row by the rule "greedy_logprobs" */
  VAA_LOGPROBS_PROCESSED_LOGITS = 3
};
/* For one token a row: its number in this mode, and its rank: 1 + the tokens whose number is strictly greater. `values` and `ranks` take one a row. */
VAA_API vaa_status vaa_sampler_logprobs(vaa_sampler *sampler, vaa_f32_rows logits, vaa_ids history, vaa_i64s spans, vaa_f64_rows params, vaa_ids tokens, int32_t mode, vaa_f64s_out values,
                                        size_t *out_values, vaa_i64s_out ranks, size_t *out_ranks, vaa_error **err);

#ifdef __cplusplus
}
#endif
#endif
