/* vaa/sample.h: one generation, the one form that all readers fill and all checks read (vaa.record/1).
 *
 * A field that was never set is not recorded, which is not the same as empty: an answer "" is an empty answer, an answer that is not
 * recorded is unknown. A sample belongs to one thread; vaa_sample_clear makes it new and keeps its memory, so a loop of clear, set, push allocates nothing after warm-up. */
#ifndef VAA_SAMPLE_H
#define VAA_SAMPLE_H

#include "vaa/report.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vaa_sample vaa_sample;

/* The name of a field. The hundreds give its type: 1 text, 2 integer, 3 real number, 4 token ids, 5 reals, 6 integers. */
typedef int32_t vaa_field;
enum {
  /* text: vaa_sample_set_str, vaa_sample_str */
  VAA_FIELD_ID = 100,
  VAA_FIELD_DATASET = 101,
  VAA_FIELD_MODEL = 102,
  VAA_FIELD_PROMPT_TEXT = 103,
  VAA_FIELD_PROMPT_MESSAGES = 104,  /* a JSON list of {"role", "content"} */
  VAA_FIELD_OUTPUT_TEXT = 105,      /* the answer, without the reasoning where that stands apart */
  VAA_FIELD_OUTPUT_REASONING = 106,
  VAA_FIELD_FINISH_REASON = 107,    /* stop, length, tool_calls, content_filter, abort, error, repetition, unknown */
  VAA_FIELD_STOP_REASON = 108,      /* the stop string, or the stop token's id in decimal */
  VAA_FIELD_IDS_PROVENANCE = 109,   /* engine, reencoded */
  VAA_FIELD_FORCED_OF = 110,        /* teacher-forced: id of the record whose output was sent as prompt */
  VAA_FIELD_SEED = 111,             /* decimal digits: seeds go to 2^64 - 1 */
  VAA_FIELD_LOGPROBS_MODE = 112,    /* raw_logprobs, processed_logprobs, raw_logits, processed_logits */
  VAA_FIELD_SCORE_METRIC = 113,
  VAA_FIELD_SCORE_GOLD = 114,       /* what the framework compared with */
  VAA_FIELD_SCORE_EXTRACTED = 115,  /* what it took from the answer; not recorded where it took nothing */
  VAA_FIELD_ENDPOINT = 116,         /* never with a key */
  VAA_FIELD_REPLICA = 117,
  VAA_FIELD_REQUEST_ID = 118,
  VAA_FIELD_ERROR_MESSAGE = 119,    /* set: the request failed */
  VAA_FIELD_ERROR_TYPE = 120,
  VAA_FIELD_STREAM_END = 121,       /* complete, no_finish_reason, cut, cut_in_event, error */
  VAA_FIELD_EXTRA = 122,            /* a JSON object of what no field holds */
  VAA_FIELD_SOURCE_FORMAT = 123,
  VAA_FIELD_SOURCE_FILE = 124,
  VAA_FIELD_TOOL_CALLS = 125,       /* a JSON list */

  /* integers: vaa_sample_set_i64, vaa_sample_i64 */
  VAA_FIELD_REPEAT = 200,
  VAA_FIELD_TOP_K = 201,
  VAA_FIELD_MAX_TOKENS = 202,
  VAA_FIELD_IGNORE_EOS = 203,        /* 0, 1 */
  VAA_FIELD_PROMPT_TOKENS = 204,
  VAA_FIELD_COMPLETION_TOKENS = 205,
  VAA_FIELD_REASONING_TOKENS = 206,
  VAA_FIELD_CACHED_TOKENS = 207,
  VAA_FIELD_SCORE_CORRECT = 208,     /* 0, 1 */
  VAA_FIELD_RANK = 209,              /* data-parallel rank */
  VAA_FIELD_PREEMPTIONS = 210,
  VAA_FIELD_SPEC_STEPS = 211,        /* verify passes */
  VAA_FIELD_SPEC_DRAFT_TOKENS = 212,
  VAA_FIELD_SPEC_ACCEPTED_TOKENS = 213,
  VAA_FIELD_ERROR_STATUS = 214,      /* HTTP */
  VAA_FIELD_SOURCE_LINE = 215,       /* from 1 */
  VAA_FIELD_IDS_INCLUDE_STOP = 216,  /* 0, 1 */
  VAA_FIELD_FORCED_FROM = 217,       /* index in the prompt's ids where the forced output begins */
  VAA_FIELD_SCORE_EXTRACTION_FAILED = 218, /* 1: the framework looked for an answer and found none (null, "[invalid]") */

  /* real numbers: vaa_sample_set_f64, vaa_sample_f64 */
  VAA_FIELD_TEMPERATURE = 300,
  VAA_FIELD_TOP_P = 301,
  VAA_FIELD_MIN_P = 302,
  VAA_FIELD_REPETITION_PENALTY = 303,
  VAA_FIELD_PRESENCE_PENALTY = 304,
  VAA_FIELD_FREQUENCY_PENALTY = 305,
  VAA_FIELD_SCORE_VALUE = 306,
  VAA_FIELD_START_S = 307,           /* Unix time, seconds */
  VAA_FIELD_END_S = 308,
  VAA_FIELD_TTFT_S = 309,            /* seconds from start to the first token */
  VAA_FIELD_E2E_S = 310,             /* seconds from start to end, where start and end are not recorded */

  /* token ids: vaa_sample_set_ids, vaa_sample_ids */
  VAA_FIELD_PROMPT_TOKEN_IDS = 400,
  VAA_FIELD_OUTPUT_TOKEN_IDS = 401,
  VAA_FIELD_PROMPT_TOP_IDS = 402,    /* all alternatives one after another; token i's end at TOP_ENDS[i] */
  VAA_FIELD_OUTPUT_TOP_IDS = 403,

  /* reals: vaa_sample_set_f64s, vaa_sample_f64s. Log-probabilities in nats; -infinity for -9999 */
  VAA_FIELD_PROMPT_LOGPROBS = 500,   /* of prompt id i after the ids before it; NaN for the first */
  VAA_FIELD_OUTPUT_LOGPROBS = 501,
  VAA_FIELD_PROMPT_TOP_LOGPROBS = 502,
  VAA_FIELD_OUTPUT_TOP_LOGPROBS = 503, /* beside OUTPUT_TOP_IDS: the sampled token first, then the others by falling logprob */

  /* integers: vaa_sample_set_i64s, vaa_sample_i64s */
  VAA_FIELD_PROMPT_TOP_ENDS = 600,
  VAA_FIELD_OUTPUT_TOP_ENDS = 601,
  VAA_FIELD_SPEC_ACCEPTED_PER_POSITION = 602
};

VAA_API vaa_status vaa_sample_new(vaa_sample **out_sample, vaa_error **err);
VAA_API void vaa_sample_clear(vaa_sample *sample);
VAA_API void vaa_sample_free(vaa_sample *sample);

/* Copies the value into the sample. VAA_ERROR_ARGUMENT where the field is of another type or its value is not allowed; the message names field and value. */
VAA_API vaa_status vaa_sample_set_str(vaa_sample *sample, vaa_field field, vaa_str value, vaa_error **err);
VAA_API vaa_status vaa_sample_set_i64(vaa_sample *sample, vaa_field field, int64_t value, vaa_error **err);
VAA_API vaa_status vaa_sample_set_f64(vaa_sample *sample, vaa_field field, double value, vaa_error **err);
VAA_API vaa_status vaa_sample_set_ids(vaa_sample *sample, vaa_field field, vaa_ids value, vaa_error **err);
VAA_API vaa_status vaa_sample_set_f64s(vaa_sample *sample, vaa_field field, vaa_f64s value, vaa_error **err);
VAA_API vaa_status vaa_sample_set_i64s(vaa_sample *sample, vaa_field field, vaa_i64s value, vaa_error **err);
/* Makes the field not recorded. */
VAA_API vaa_status vaa_sample_unset(vaa_sample *sample, vaa_field field, vaa_error **err);

/* 1: recorded, 0: not recorded or no field. */
VAA_API int32_t vaa_sample_has(const vaa_sample *sample, vaa_field field);
/* The value, borrowed until the sample is next changed. VAA_ERROR_NOT_FOUND where it is not recorded. */
VAA_API vaa_status vaa_sample_str(const vaa_sample *sample, vaa_field field, vaa_str *out_value, vaa_error **err);
VAA_API vaa_status vaa_sample_i64(const vaa_sample *sample, vaa_field field, int64_t *out_value, vaa_error **err);
VAA_API vaa_status vaa_sample_f64(const vaa_sample *sample, vaa_field field, double *out_value, vaa_error **err);
VAA_API vaa_status vaa_sample_ids(const vaa_sample *sample, vaa_field field, vaa_ids *out_value, vaa_error **err);
VAA_API vaa_status vaa_sample_f64s(const vaa_sample *sample, vaa_field field, vaa_f64s *out_value, vaa_error **err);
VAA_API vaa_status vaa_sample_i64s(const vaa_sample *sample, vaa_field field, vaa_i64s *out_value, vaa_error **err);

/* The name of a field in a record, such as "output.text"; "" for a number that is no field. And back: VAA_ERROR_NOT_FOUND names what there is. */
VAA_API vaa_str vaa_field_name(vaa_field field);
VAA_API vaa_status vaa_field_find(vaa_str name, vaa_field *out_field, vaa_error **err);

/* From and to a record line (vaa.record/1, without line feed). */
VAA_API vaa_status vaa_sample_from_json(vaa_sample *sample, vaa_str record, vaa_error **err);
VAA_API vaa_status vaa_sample_to_json(const vaa_sample *sample, vaa_text **out_text, vaa_error **err);
/* What to ask to get such an answer again: the prompt (messages, else text, else ids), model and sampling parameters as one line of an OpenAI batch file, without line feed;
 * custom_id is "dataset/id/repeat". VAA_ERROR_NOT_FOUND where no prompt is recorded. Linear in the prompt. */
VAA_API vaa_status vaa_sample_request(const vaa_sample *sample, vaa_text **out_text, vaa_error **err);

#ifdef __cplusplus
}
#endif
#endif
