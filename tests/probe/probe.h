/* A small library of the tests: every type of the border goes in and comes out here, so that the typemaps of the bindings are held to all of them, also to
 * those that no public function uses yet. */
#ifndef PROBE_H
#define PROBE_H

#include "vaa/check.h"

typedef struct probe_thing probe_thing;

VAA_API vaa_status probe_thing_new(probe_thing **out_thing, vaa_error **err);
VAA_API void probe_thing_free(probe_thing *thing);
/* Things that were made and not freed. */
VAA_API int64_t probe_thing_count(void);

/* Sum of elements times their place, from 1; and their count. */
VAA_API vaa_status probe_sum_ids(vaa_ids values, double *out_sum, size_t *out_size, vaa_error **err);
VAA_API vaa_status probe_sum_i64s(vaa_i64s values, double *out_sum, size_t *out_size, vaa_error **err);
VAA_API vaa_status probe_sum_u8s(vaa_u8s values, double *out_sum, size_t *out_size, vaa_error **err);
VAA_API vaa_status probe_sum_f32s(vaa_f32s values, double *out_sum, size_t *out_size, vaa_error **err);
VAA_API vaa_status probe_sum_f64s(vaa_f64s values, double *out_sum, size_t *out_size, vaa_error **err);
/* Sum of elements times (row from 1) times (1000 plus column). */
VAA_API vaa_status probe_sum_f32_rows(vaa_f32_rows values, double *out_sum, size_t *out_rows, size_t *out_cols, vaa_error **err);
VAA_API vaa_status probe_sum_f64_rows(vaa_f64_rows values, double *out_sum, size_t *out_rows, size_t *out_cols, vaa_error **err);
VAA_API vaa_status probe_sum_str(vaa_str text, double *out_sum, size_t *out_size, vaa_error **err);

/* 0, 1, 2, … count - 1. */
VAA_API vaa_status probe_fill_ids(size_t count, vaa_ids_out values, size_t *out_size, vaa_error **err);
VAA_API vaa_status probe_fill_i64s(size_t count, vaa_i64s_out values, size_t *out_size, vaa_error **err);
VAA_API vaa_status probe_fill_u8s(size_t count, vaa_u8s_out values, size_t *out_size, vaa_error **err);
VAA_API vaa_status probe_fill_f32s(size_t count, vaa_f32s_out values, size_t *out_size, vaa_error **err);
VAA_API vaa_status probe_fill_f64s(size_t count, vaa_f64s_out values, size_t *out_size, vaa_error **err);
/* Element (r, c) becomes 100 r + c. */
VAA_API vaa_status probe_fill_f32_rows(vaa_f32_rows_out values, vaa_error **err);
VAA_API vaa_status probe_fill_f64_rows(vaa_f64_rows_out values, vaa_error **err);

/* What went in. */
VAA_API vaa_status probe_int32(int32_t value, int32_t *out_value, vaa_error **err);
VAA_API vaa_status probe_int64(int64_t value, int64_t *out_value, vaa_error **err);
VAA_API vaa_status probe_uint64(uint64_t value, uint64_t *out_value, vaa_error **err);
VAA_API vaa_status probe_size(size_t value, size_t *out_value, vaa_error **err);
VAA_API vaa_status probe_double(double value, double *out_value, vaa_error **err);
VAA_API vaa_status probe_field(vaa_field value, vaa_field *out_value, vaa_error **err);
VAA_API int32_t probe_return_int32(int32_t value);
VAA_API int64_t probe_return_int64(int64_t value);
VAA_API uint64_t probe_return_uint64(uint64_t value);
VAA_API size_t probe_return_size(size_t value);
VAA_API double probe_return_double(double value);

/* Keeps a copy of the text, lends it. */
VAA_API vaa_status probe_thing_keep(probe_thing *thing, vaa_str text, vaa_error **err);
VAA_API vaa_str probe_thing_text(const probe_thing *thing);
VAA_API vaa_status probe_thing_str(const probe_thing *thing, vaa_str *out_text, vaa_error **err);
/* Five numbers each, 10 to 14, lent by the thing. */
VAA_API vaa_status probe_thing_ids(const probe_thing *thing, vaa_ids *out_values, vaa_error **err);
VAA_API vaa_status probe_thing_i64s(const probe_thing *thing, vaa_i64s *out_values, vaa_error **err);
VAA_API vaa_status probe_thing_u8s(const probe_thing *thing, vaa_u8s *out_values, vaa_error **err);
VAA_API vaa_status probe_thing_f32s(const probe_thing *thing, vaa_f32s *out_values, vaa_error **err);
VAA_API vaa_status probe_thing_f64s(const probe_thing *thing, vaa_f64s *out_values, vaa_error **err);
/* A view of no elements and a null pointer. */
VAA_API vaa_status probe_thing_nothing(const probe_thing *thing, vaa_f64s *out_values, vaa_error **err);
/* Two findings whose numbers are 0, 1, 2 … 13 and 100, 101, … 113; unknown is 2^63 + 1. */
VAA_API vaa_status probe_thing_findings(const probe_thing *thing, vaa_findings *out_findings, vaa_error **err);
/* Everything at once. */
VAA_API vaa_status probe_thing_all(const probe_thing *thing, vaa_findings *out_findings, int32_t *out_a, int64_t *out_b, double *out_c, vaa_str *out_text, vaa_ids *out_ids,
                                   size_t *out_size, vaa_error **err);

/* Fails with this status; without a message where `silent` is not 0, otherwise with one that a call of vaa made. */
VAA_API vaa_status probe_fail(vaa_status status, int32_t silent, vaa_error **err);
/* Works for so many seconds, reading the ids all the time; their sum. */
VAA_API vaa_status probe_work(vaa_ids values, double seconds, double *out_sum, vaa_error **err);
/* May be None or nil. */
VAA_API int32_t probe_given(const vaa_vocab *vocab);

#endif
