/* vaa/replay.h: a run sampled again. Rows of logits as the engine had them, its rules (vaa/sampler.h), its parameters and its noise (vaa/rng.h) say which token it must have put out; where it put out
 * another one, by how much, and whether rounding accounts for that. docs/replay.md.
 *
 * Teacher-forced: what the engine put out is what the next row follows, whatever would have been picked, so every row is judged. A vaa_replay belongs to one thread. */
#ifndef VAA_REPLAY_H
#define VAA_REPLAY_H

#include "vaa/sampler.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vaa_replay vaa_replay;

/* Options: those of vaa_sampler_new but threads, for all rows, and
 *   "generator", "seed", "state", "sm_count", "threads_per_sm", "torch", "triton", "variant": those of vaa_rng_new, of the generator that each sequence begins anew. None: rows bring
 *     their noise, or their tokens are drawn with noise that nobody knows: then only what was not legal shows;
 *   "noise_type": "float32" (default), "float64": the width of what is drawn;
 *   "noise_position": 0; added to the position of the row (ids before it, less 1) that generators by place are asked for;
 *   "precision": "fp32" (default), "exact", "fp16", "bf16": how the engine computes what it makes of logits; its rounding is the band;
 *   "logits_precision": "exact" (default): the logits given are the engine's own; "fp32", "fp16", "bf16": the engine rounded them to that;
 *   "tolerance": 0; by how much the engine's logits may differ from those given, as where another engine made these;
 *   "vocabulary": its size, for rows of logprobs;
 *   "clip": 0.5; what one token adds to the mean margin at most;
 *   "max_departed": 0.005, "max_illegal": 0.0005: shares of rows that a sound engine may reach, of tokens that nothing accounts for and of tokens that the rules had taken away;
 *   "max_rows": 10000; rows that are not the same, kept in the table "rows" of the report.
 * VAA_ERROR_OPTION names the known ones; VAA_ERROR_UNSUPPORTED: a generator has not what the engine draws. */
VAA_API vaa_status vaa_replay_new(const vaa_engine *engine, vaa_str options, vaa_replay **out_replay, vaa_error **err);

/* The next sequence: its seed as text ("-1", "0x2a", decimal; -2^63 to 2^64 - 1), "" for the option's, and its prompt. Left out before the first row: one sequence without prompt. */
VAA_API vaa_status vaa_replay_begin(vaa_replay *replay, vaa_str seed, vaa_ids prompt, vaa_error **err);

/* What became of a row: columns of `results`. */
enum {
  VAA_REPLAY_STATE = 0,    /* a VAA_REPLAY_* of below */
  VAA_REPLAY_TOKEN = 1,    /* that the rules pick; NaN: not known */
  VAA_REPLAY_RANK = 2,     /* of the engine's token where the choice is made: 1 + the tokens of a greater score (inverse CDF: 1 + the tokens between); 0: it was taken away, or not known */
  VAA_REPLAY_MARGIN = 3,   /* greedy: the gap of the logits; race and gumbel: of log p + noise; inverse CDF: the distance in u; infinite: the engine's token was taken away; NaN: not known */
  VAA_REPLAY_BAND = 4,     /* what rounding and the generator's band account for of the margin; of rows that are not the same */
  VAA_REPLAY_DIFR = 5,     /* the margin of Token-DiFR: temperature times that of a race, the gap of a greedy row; NaN where there is none */
  VAA_REPLAY_POSITION = 6, /* ids before the token */
  VAA_REPLAY_COLUMNS = 7
};
enum {
  VAA_REPLAY_SAME = 0,
  VAA_REPLAY_WITHIN = 1,   /* another token, and rounding accounts for it */
  VAA_REPLAY_DEPARTED = 2,
  VAA_REPLAY_UNKNOWN = 3   /* the noise is not known, or what a list of logprobs leaves out could have won */
};

/* Rows of a sequence in order: logits [rows, V]; the engine's token of each; noise by the engine's rule "draw" as of vaa_sampler_draw, or no rows. `results`: [rows, VAA_REPLAY_COLUMNS], or no rows.
 * A row that is refused (NaN, infinity, no token left, an id outside the vocabulary) is VAA_ERROR_ARGUMENT and names the row, counted from the first push; the rows before it were taken.
 * Cost: of a row of 130,000 some 10 ms, most of it the noise; the first 200 that depart, on which other causes are tried, 100 to 200 ms each. */
VAA_API vaa_status vaa_replay_push(vaa_replay *replay, vaa_f32_rows logits, vaa_ids tokens, vaa_f64_rows noise, vaa_f64_rows_out results, vaa_error **err);

/* Rows of which the likeliest tokens are known alone: raw logprobs as an API lists them (at temperature 1, before every stage), those of row r at [ends[r - 1], ends[r]). What is not listed
 * is bounded: by the least of the list and the noise of the others. A row that it could decide is unknown. */
VAA_API vaa_status vaa_replay_push_top(vaa_replay *replay, vaa_ids ids, vaa_f64s logprobs, vaa_i64s ends, vaa_ids tokens, vaa_f64_rows noise, vaa_f64_rows_out results, vaa_error **err);

/* What the rows say so far, of kind "replay": "streams not aligned" before anything else, then departures. Pass; fail; not checked: nothing could be judged, or the streams are not aligned;
 * undecided: too few rows. */
VAA_API vaa_status vaa_replay_report(const vaa_replay *replay, vaa_report **out_report, vaa_error **err);
VAA_API void vaa_replay_free(vaa_replay *replay);

/* Token-DiFR (arXiv 2511.20621) of one row: scores l - T log E, and of each token the margin were it the claimed one: max score less its own, at most `clip` (infinity: as it is).
 * `scores` and `margins` take one a logit. */
VAA_API vaa_status vaa_difr_margins(vaa_f64s logits, vaa_f64s exponentials, double temperature, double clip, vaa_f64s_out scores, size_t *out_scores, vaa_f64s_out margins, size_t *out_margins,
                                    vaa_error **err);

#ifdef __cplusplus
}
#endif
#endif
