#define _POSIX_C_SOURCE 200809L
#include "probe.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct probe_thing {
  char *text;
  size_t size;
  int32_t ids[5];
  int64_t i64s[5];
  uint8_t u8s[5];
  float f32s[5];
  double f64s[5];
  vaa_finding findings[2];
};
static atomic_llong things;

static vaa_status done(vaa_error **err) {
  if (err) *err = NULL;
  return VAA_OK;
}
static vaa_status too_small(vaa_error **err) {
  if (err) *err = NULL;
  return VAA_ERROR_CAPACITY;
}

vaa_status probe_thing_new(probe_thing **out_thing, vaa_error **err) {
  probe_thing *t = calloc(1, sizeof *t);
  int i, j;
  for (i = 0; i < 5; ++i) t->ids[i] = 10 + i, t->i64s[i] = 10 + i, t->u8s[i] = (uint8_t)(10 + i), t->f32s[i] = (float)(10 + i), t->f64s[i] = 10 + i;
  for (j = 0; j < 2; ++j) {
    const int b = 100 * j;
    t->findings[j] = (vaa_finding){b, b + 1, b + 2, b + 3, b + 4, b + 5, b + 6, b + 7, b + 8, b + 9, b + 10, b + 11, b + 12, b + 13, b + 14.5, b + 15.5};
  }
  atomic_fetch_add(&things, 1);
  *out_thing = t;
  return done(err);
}
void probe_thing_free(probe_thing *thing) {
  if (!thing) return;
  free(thing->text);
  free(thing);
  atomic_fetch_sub(&things, 1);
}
int64_t probe_thing_count(void) { return atomic_load(&things); }

#define SUM(NAME, VIEW)                                                                           \
  vaa_status probe_sum_##NAME(VIEW values, double *out_sum, size_t *out_size, vaa_error **err) {  \
    double sum = 0;                                                                              \
    size_t i;                                                                                    \
    for (i = 0; i < values.size; ++i) sum += (double)values.data[i] * (double)(i + 1);            \
    *out_sum = sum;                                                                              \
    *out_size = values.size;                                                                     \
    return done(err);                                                                            \
  }
SUM(ids, vaa_ids)
SUM(i64s, vaa_i64s)
SUM(u8s, vaa_u8s)
SUM(f32s, vaa_f32s)
SUM(f64s, vaa_f64s)

vaa_status probe_sum_str(vaa_str text, double *out_sum, size_t *out_size, vaa_error **err) {
  const vaa_u8s bytes = {(const uint8_t *)text.data, text.size};
  return probe_sum_u8s(bytes, out_sum, out_size, err);
}

#define SUM_ROWS(NAME, VIEW)                                                                                          \
  vaa_status probe_sum_##NAME(VIEW values, double *out_sum, size_t *out_rows, size_t *out_cols, vaa_error **err) {    \
    double sum = 0;                                                                                                  \
    size_t r, c;                                                                                                     \
    for (r = 0; r < values.rows; ++r)                                                                                \
      for (c = 0; c < values.cols; ++c) sum += (double)values.data[r * values.stride + c] * (double)(r + 1) * (double)(1000 + c); \
    *out_sum = sum;                                                                                                  \
    *out_rows = values.rows;                                                                                         \
    *out_cols = values.cols;                                                                                         \
    return done(err);                                                                                                \
  }
SUM_ROWS(f32_rows, vaa_f32_rows)
SUM_ROWS(f64_rows, vaa_f64_rows)

#define FILL(NAME, VIEW, TYPE)                                                                          \
  vaa_status probe_fill_##NAME(size_t count, VIEW values, size_t *out_size, vaa_error **err) {          \
    size_t i;                                                                                          \
    if (values.capacity < count) return too_small(err);                                                \
    for (i = 0; i < count; ++i) values.data[i] = (TYPE)i;                                               \
    *out_size = count;                                                                                 \
    return done(err);                                                                                  \
  }
FILL(ids, vaa_ids_out, int32_t)
FILL(i64s, vaa_i64s_out, int64_t)
FILL(u8s, vaa_u8s_out, uint8_t)
FILL(f32s, vaa_f32s_out, float)
FILL(f64s, vaa_f64s_out, double)

#define FILL_ROWS(NAME, VIEW, TYPE)                                                      \
  vaa_status probe_fill_##NAME(VIEW values, vaa_error **err) {                           \
    size_t r, c;                                                                        \
    for (r = 0; r < values.rows; ++r)                                                   \
      for (c = 0; c < values.cols; ++c) values.data[r * values.stride + c] = (TYPE)(100 * r + c); \
    return done(err);                                                                   \
  }
FILL_ROWS(f32_rows, vaa_f32_rows_out, float)
FILL_ROWS(f64_rows, vaa_f64_rows_out, double)

#define ECHO(NAME, TYPE)                                                       \
  vaa_status probe_##NAME(TYPE value, TYPE *out_value, vaa_error **err) {      \
    *out_value = value;                                                       \
    return done(err);                                                         \
  }                                                                           \
  TYPE probe_return_##NAME(TYPE value) { return value; }
ECHO(int32, int32_t)
ECHO(int64, int64_t)
ECHO(uint64, uint64_t)
ECHO(size, size_t)
ECHO(double, double)

vaa_status probe_field(vaa_field value, vaa_field *out_value, vaa_error **err) {
  *out_value = value;
  return done(err);
}

vaa_status probe_thing_keep(probe_thing *thing, vaa_str text, vaa_error **err) {
  char *copy = malloc(text.size + 1);
  if (text.size) memcpy(copy, text.data, text.size);
  copy[text.size] = 0;
  free(thing->text);
  thing->text = copy;
  thing->size = text.size;
  return done(err);
}
vaa_str probe_thing_text(const probe_thing *thing) { return (vaa_str){thing->text, thing->size}; }
vaa_status probe_thing_str(const probe_thing *thing, vaa_str *out_text, vaa_error **err) {
  *out_text = probe_thing_text(thing);
  return done(err);
}

#define LEND(NAME, VIEW)                                                                                \
  vaa_status probe_thing_##NAME(const probe_thing *thing, VIEW *out_values, vaa_error **err) {          \
    *out_values = (VIEW){thing->NAME, 5};                                                              \
    return done(err);                                                                                  \
  }
LEND(ids, vaa_ids)
LEND(i64s, vaa_i64s)
LEND(u8s, vaa_u8s)
LEND(f32s, vaa_f32s)
LEND(f64s, vaa_f64s)
vaa_status probe_thing_nothing(const probe_thing *thing, vaa_f64s *out_values, vaa_error **err) {
  (void)thing;
  *out_values = (vaa_f64s){NULL, 0};
  return done(err);
}
vaa_status probe_thing_findings(const probe_thing *thing, vaa_findings *out_findings, vaa_error **err) {
  *out_findings = (vaa_findings){thing->findings, 2, (UINT64_C(1) << 63) + 1};
  return done(err);
}
vaa_status probe_thing_all(const probe_thing *thing, vaa_findings *out_findings, int32_t *out_a, int64_t *out_b, double *out_c, vaa_str *out_text, vaa_ids *out_ids,
                           size_t *out_size, vaa_error **err) {
  *out_a = -7;
  *out_b = INT64_MIN;
  *out_c = 0.5;
  *out_size = SIZE_MAX;
  *out_text = probe_thing_text(thing);
  probe_thing_ids(thing, out_ids, err);
  return probe_thing_findings(thing, out_findings, err);
}

vaa_status probe_fail(vaa_status status, int32_t silent, vaa_error **err) {
  vaa_field unused;
  if (silent) {
    if (err) *err = NULL;
    return status;
  }
  vaa_field_find((vaa_str){"no such", 7}, &unused, err);
  return status;
}
vaa_status probe_work(vaa_ids values, double seconds, double *out_sum, vaa_error **err) {
  struct timespec start, now;
  size_t ignored;
  clock_gettime(CLOCK_MONOTONIC, &start);
  do {
    probe_sum_ids(values, out_sum, &ignored, err);
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((double)(now.tv_sec - start.tv_sec) + 1e-9 * (double)(now.tv_nsec - start.tv_nsec) < seconds);
  return done(err);
}
int32_t probe_given(const vaa_vocab *vocab) { return vocab != NULL; }
