/* vaa/rng.h: the random numbers that engines sample with, without the engine or its device: the same seed gives the same words, and noise that is the engine's own or lies within a stated
 * band of it. docs/generators.md has the table of generators and how to replay.
 *
 * A vaa_rng owns its state and scratch and belongs to one thread. A call that a generator does not have is VAA_ERROR_UNSUPPORTED and names those that do. `out` is filled whole: its
 * capacity is the count that is drawn, at most 2^32. `band` has the capacity of `out`, or 0 where it is not wanted: the engine's number lies within out[i] ± band[i], and 0 is bit-equal. */
#ifndef VAA_RNG_H
#define VAA_RNG_H

#include "vaa/error.h"
#include "vaa/report.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vaa_rng vaa_rng;

/* Options: "generator": a name of vaa_rng_generators; "seed": -2^63 to 2^64 - 1, a number or text (decimal, 0x…), exact, a negative one as two's complement; or "state": a saved state in
 * base64. "sm_count", "threads_per_sm" (2048): the device of torch_cuda, needed where a draw is larger than 32,768. "torch": its version ("2.6"), needed for randint of ranges from 2^28 to
 * 2^32. "triton": "new" or "old"; "variant": a form of the noise. An unknown generator is VAA_ERROR_OPTION, and the message lists the known ones. */
VAA_API vaa_status vaa_rng_new(vaa_str options, vaa_rng **out_rng, vaa_error **err);
/* The generators as a JSON array: name, title, draws (what it has), exact, band, unknown, confirmed (by what). */
VAA_API vaa_status vaa_rng_generators(vaa_text **out_text, vaa_error **err);

/* ---- a stream: what the framework draws next ---- */

/* The width of float that a tensor has. */
enum { VAA_RNG_F32 = 0, VAA_RNG_F16 = 1, VAA_RNG_BF16 = 2 };

/* Words as bit patterns. torch's 64 bits have the first word on top; those of torch_cuda and its kin are words of a kernel over `out`. */
VAA_API vaa_status vaa_rng_raw_u32(vaa_rng *rng, vaa_ids_out out, vaa_error **err);
VAA_API vaa_status vaa_rng_raw_u64(vaa_rng *rng, vaa_i64s_out out, vaa_error **err);
/* Uniform on [0, 1), as torch.rand gives them: `type` is a VAA_RNG_*, whose numbers are all floats. */
VAA_API vaa_status vaa_rng_uniform_f32(vaa_rng *rng, int32_t type, vaa_f32s_out out, vaa_error **err);
VAA_API vaa_status vaa_rng_uniform_f64(vaa_rng *rng, vaa_f64s_out out, vaa_error **err);
/* Exponential of rate 1, as torch's exponential_ fills a tensor. 0 can occur on the CPU (p / q is then infinite or NaN). */
VAA_API vaa_status vaa_rng_exponential_f32(vaa_rng *rng, int32_t type, vaa_f32s_out out, vaa_f32s_out band, vaa_error **err);
VAA_API vaa_status vaa_rng_exponential_f64(vaa_rng *rng, vaa_f64s_out out, vaa_f64s_out band, vaa_error **err);
/* Standard normal, as torch.randn of that many numbers: below 16 another way than from 16 on. */
VAA_API vaa_status vaa_rng_normal_f32(vaa_rng *rng, vaa_f32s_out out, vaa_error **err);
VAA_API vaa_status vaa_rng_normal_f64(vaa_rng *rng, vaa_f64s_out out, vaa_error **err);
/* Whole numbers of [low, high), as torch.randint gives them for int64. */
VAA_API vaa_status vaa_rng_randint(vaa_rng *rng, int64_t low, int64_t high, vaa_i64s_out out, vaa_error **err);
/* torch.multinomial of rows of weights, out.capacity / rows indices a row, row by row; replacement is 0 or 1. 0 / 0 counts as the largest, as in torch; among equals the first is taken. */
VAA_API vaa_status vaa_rng_multinomial_f32(vaa_rng *rng, vaa_f32_rows probs, int32_t replacement, vaa_i64s_out out, vaa_error **err);
VAA_API vaa_status vaa_rng_multinomial_f64(vaa_rng *rng, vaa_f64_rows probs, int32_t replacement, vaa_i64s_out out, vaa_error **err);
/* Moves on: by words (up to 2^36, some ten seconds), or by units of the offset where there is one, rounded up to fours. */
VAA_API vaa_status vaa_rng_skip(vaa_rng *rng, uint64_t units, vaa_error **err);
/* The state, borrowed until the next call, and back: torch_cpu has the 5,056 bytes of torch.Generator.get_state(), torch_cuda the 16 of a CUDA one. A state that is cut or impossible is
 * VAA_ERROR_ARGUMENT, and the old one stays. */
VAA_API vaa_status vaa_rng_save(vaa_rng *rng, vaa_u8s *out_state, vaa_error **err);
VAA_API vaa_status vaa_rng_load(vaa_rng *rng, vaa_u8s state, vaa_error **err);

/* ---- by place: numbers that depend on the seed, a position and a column alone ---- */

/* A column is a token's id (for sglang behind a filter: its rank) unless the generator's title says otherwise. The bits, the uniform that is made of them, and the noise -log(-log u):
 * argmax(logit / T + noise) is the engine's token. */
VAA_API vaa_status vaa_rng_raw_at(vaa_rng *rng, int64_t position, vaa_ids columns, vaa_i64s_out out, vaa_error **err);
VAA_API vaa_status vaa_rng_uniform_at(vaa_rng *rng, int64_t position, vaa_ids columns, vaa_f64s_out out, vaa_error **err);
VAA_API vaa_status vaa_rng_gumbel_at(vaa_rng *rng, int64_t position, vaa_ids columns, vaa_f64s_out out, vaa_f64s_out band, vaa_error **err);
/* The noise that it makes of uniforms, 0 and 1 among them, which it may never draw: what the largest noise of a generator is, and what one that returns its endpoint does. */
VAA_API vaa_status vaa_rng_gumbel_of(vaa_rng *rng, vaa_f64s uniforms, vaa_f64s_out out, vaa_f64s_out band, vaa_error **err);
/* Columns 0 to out.capacity - 1. */
VAA_API vaa_status vaa_rng_gumbel_row(vaa_rng *rng, int64_t position, vaa_f64s_out out, vaa_f64s_out band, vaa_error **err);
/* Hands a captured generator the noise of a position, of all its columns; copied, and in place of what was given for it before. */
VAA_API vaa_status vaa_rng_give(vaa_rng *rng, int64_t position, vaa_f64s noise, vaa_error **err);

VAA_API void vaa_rng_free(vaa_rng *rng);

#ifdef __cplusplus
}
#endif
#endif
