/* vaa/vocab.h: a vocabulary: the bytes of each token and which tokens are special. Const and shared by threads. */
#ifndef VAA_VOCAB_H
#define VAA_VOCAB_H

#include "vaa/report.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vaa_vocab vaa_vocab;

/* From arrays: token i is bytes[ends[i-1], ends[i]); `special` are ids of control tokens. Copies. VAA_ERROR_ARGUMENT where ends fall or pass the bytes, or a special id is past the vocabulary. */
VAA_API vaa_status vaa_vocab_from_arrays(vaa_u8s bytes, vaa_i64s ends, vaa_ids special, vaa_vocab **out_vocab, vaa_error **err);
/* From a folder or file: tokenizer.json (byte-level BPE and SentencePiece pieces are turned into bytes), and tokenizer_config.json beside it. */
VAA_API vaa_status vaa_vocab_open(vaa_str path, vaa_vocab **out_vocab, vaa_error **err);
VAA_API void vaa_vocab_free(vaa_vocab *vocab);

/* Tokens, ids 0 to size - 1. */
VAA_API size_t vaa_vocab_size(const vaa_vocab *vocab);
/* The bytes of a token; borrowed; empty for an id that is none. */
VAA_API vaa_str vaa_vocab_token(const vaa_vocab *vocab, int32_t id);
/* 1: a control token (end of text, padding, turn marks). */
VAA_API int32_t vaa_vocab_is_special(const vaa_vocab *vocab, int32_t id);
/* The bytes of all ids one after another, special tokens left out unless keep_special is nonzero. VAA_ERROR_ARGUMENT names an id outside the vocabulary. */
VAA_API vaa_status vaa_vocab_decode(const vaa_vocab *vocab, vaa_ids ids, int32_t keep_special, vaa_text **out_text, vaa_error **err);

#ifdef __cplusplus
}
#endif
#endif
