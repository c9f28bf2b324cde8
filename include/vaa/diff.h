/* vaa/diff.h: how two token sequences differ: where they part, by how many edits, where they agree again; and why two prompts are not the same.
 *
 * A difference is no verdict: two healthy engines part at a near tie sooner or later (docs/diff.md). vaa_diff owns scratch memory and belongs to one thread. */
#ifndef VAA_DIFF_H
#define VAA_DIFF_H

#include "vaa/error.h"
#include "vaa/vocab.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vaa_diff vaa_diff;

/* -1 (NaN for the ratios): does not apply, or is not known. Indices count from 0. */
typedef struct vaa_divergence {
  int64_t reference_size, target_size;
  int64_t first_divergence;                        /* the first index where they differ, or where one ends; -1: they are the same */
  int64_t prefix, suffix;                          /* ids that agree at the beginning; at the end, behind the prefix */
  int64_t levenshtein;                             /* insertions, deletions and substitutions; -1: more than `more_than` */
  int64_t lcs, indel;                              /* longest common subsequence; insertions and deletions: both sizes - 2 lcs */
  int64_t more_than;                               /* the max_distance that the distance exceeds; -1: it does not */
  int64_t reconverge_reference, reconverge_target; /* the first place behind the divergence where `window` ids agree (smallest sum, then smallest index in the reference) */
  double prefix_ratio;                             /* prefix / longer side; 1 where both are empty */
  double normalized_levenshtein;                   /* levenshtein / longer side */
  double normalized_indel;                         /* indel / both sides */
  int32_t length_only;                             /* 1: the shorter side is the beginning of the longer one. A stop or a limit, not a divergence */
  int32_t same_bytes;                              /* 1: other ids that stand for the same bytes; 0: other bytes; -1: not known (no vocabulary, or an id outside it) */
} vaa_divergence;

/* Why two prompts differ. */
enum {
  VAA_PROMPT_SAME = 0,
  VAA_PROMPT_BOS_TWICE = 1,          /* one side begins with its first id twice */
  VAA_PROMPT_BOS_MISSING = 2,        /* one side lacks the other's first id */
  VAA_PROMPT_GENERATION_PROMPT = 3,  /* one side lacks the last ids of the other, 16 at most: add_generation_prompt */
  VAA_PROMPT_CUT_RIGHT = 4,          /* one side ends earlier, by more */
  VAA_PROMPT_CUT_LEFT = 5,           /* one side begins later, by more than one id */
  VAA_PROMPT_OTHER_SEGMENTATION = 6, /* the same bytes in other tokens: another tokenizer, or text that was encoded again; needs a vocabulary */
  VAA_PROMPT_BLOCK_INSERTED = 7,     /* one block more on one side: a system prompt, a date, tools */
  VAA_PROMPT_BLOCK_REPLACED = 8,     /* one block stands for another */
  VAA_PROMPT_OTHER = 9
};
typedef struct vaa_prompt_difference {
  int32_t which;   /* VAA_PROMPT_… */
  int32_t longer;  /* the side that has more there: 0 none, 1 the reference, 2 the target */
  /* The block that differs, from the first difference to the last: [at, at + size) of each side. */
  int64_t reference_at, reference_size, target_at, target_size;
} vaa_prompt_difference;

/* Options: "window": ids that must agree for a re-convergence, 1 to 65536, default 32; "lcs": bool, default true: compute lcs and indel too (where sequences differ much that is half of the time).
 * `vocab` may be NULL (borrowed for the life of the vaa_diff); with it same_bytes is known. */
VAA_API vaa_status vaa_diff_new(vaa_str options, const vaa_vocab *vocab, vaa_diff **out_diff, vaa_error **err);
/* The difference of two sequences of any 32-bit ids. max_distance: edits up to which the distance is computed; -1: any. Nearly equal sequences cost a pass over them, others
 * the product of their sizes over 64, in linear memory; a distance of more than max_distance costs max_distance times the size. */
VAA_API vaa_status vaa_diff_run(vaa_diff *diff, vaa_ids reference, vaa_ids target, int64_t max_distance, vaa_divergence *out_divergence, vaa_error **err);
/* A shortest script: hunks in order, four numbers each (reference_at, reference_size, target_at, target_size). Between hunks the ids are the same; the larger sides of all add up to the
 * Levenshtein distance. Borrowed until the next call. Cost: twice that of the distance. */
VAA_API vaa_status vaa_diff_hunks(vaa_diff *diff, vaa_ids reference, vaa_ids target, vaa_i64s *out_hunks, vaa_error **err);
/* Why two prompts differ. Prompts that differ end the comparison of a pair: what follows them says nothing of the engine. */
VAA_API vaa_status vaa_diff_prompt(vaa_diff *diff, vaa_ids reference, vaa_ids target, vaa_prompt_difference *out_difference, vaa_error **err);
/* "bos_twice"; "" for a number that is none; static. */
VAA_API vaa_str vaa_prompt_class_name(int32_t which);
VAA_API void vaa_diff_free(vaa_diff *diff);

#ifdef __cplusplus
}
#endif
#endif
