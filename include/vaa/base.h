/* vaa/base.h: status codes, views, versions. Read this page first; every other header builds on it.
 *
 * Calls. A call that can fail returns a vaa_status and takes `vaa_error **err` last. The return value decides. `err` may be NULL; on success
 * it is set to NULL, on failure to an error that the caller frees (vaa_error_free). `out_*` is written on success only; the bytes of an
 * output buffer are unspecified after a failure.
 *
 * Views. Text and arrays cross as views, by value: they are read during the call, never kept, and never assumed to end in NUL. A view of
 * size 0 is empty whatever its pointer: nothing is ever read from a pointer being NULL. What may be absent is a field that is set or not set
 * on a vaa_sample, or is declared by an option. Text that vaa returns is followed by a NUL that its size does not count.
 *
 * Ownership. What comes through `out_*` belongs to the caller and has one `_free`, which takes NULL. What is returned is borrowed from the
 * first argument, until that is freed or next changed.
 *
 * Threads. What is configured is const and may be shared by all threads (vaa_checker, vaa_vocab, vaa_records, vaa_report). What works owns its
 * scratch memory and belongs to one thread at a time (vaa_sample, vaa_cursor, vaa_tally). vaa_task is the one object that any threads may use at once. */
#ifndef VAA_BASE_H
#define VAA_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifndef VAA_API
#if defined(__GNUC__)
#define VAA_API __attribute__((visibility("default")))
#else
#define VAA_API
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of these headers. */
#define VAA_VERSION_MAJOR 0
#define VAA_VERSION_MINOR 1
#define VAA_VERSION_PATCH 0

/* Grows with every change of the ABI; the bindings refuse a library of another number. */
#define VAA_ABI_VERSION 1

/* Outcome of a call. A wrong model is a verdict in a report, never an error: an error means that vaa could not tell. */
typedef int32_t vaa_status;
enum {
  VAA_OK = 0,
  VAA_ERROR_ARGUMENT = 1,    /* an argument is outside what the call takes */
  VAA_ERROR_OPTION = 2,      /* an unknown key, a wrong type or a value out of range in an options object */
  VAA_ERROR_NOT_FOUND = 3,   /* a path, table, column or pointer that does not exist */
  VAA_ERROR_IO = 4,          /* the system refused to open, read or write */
  VAA_ERROR_FORMAT = 5,      /* the input is of no format that vaa reads, or none of it could be read */
  VAA_ERROR_CAPACITY = 6,    /* an output buffer is too small, or a limit set by an option was reached */
  VAA_ERROR_CANCELLED = 7,   /* vaa_task_cancel was called */
  VAA_ERROR_MEMORY = 8,      /* out of memory */
  VAA_ERROR_UNSUPPORTED = 9, /* known, and not read by this version */
  VAA_ERROR_INTERNAL = 10    /* a defect of vaa: please report it */
};

/* Read-only views. `size`, `rows` and `cols` count elements; `stride` is the distance of two rows in elements, at least cols. */
typedef struct vaa_str { const char *data; size_t size; } vaa_str; /* UTF-8 by intent, any bytes in fact */
typedef struct vaa_ids { const int32_t *data; size_t size; } vaa_ids; /* token ids */
typedef struct vaa_i64s { const int64_t *data; size_t size; } vaa_i64s;
typedef struct vaa_u8s { const uint8_t *data; size_t size; } vaa_u8s;
typedef struct vaa_f32s { const float *data; size_t size; } vaa_f32s;
typedef struct vaa_f64s { const double *data; size_t size; } vaa_f64s;
typedef struct vaa_f32_rows { const float *data; size_t rows, cols, stride; } vaa_f32_rows;
typedef struct vaa_f64_rows { const double *data; size_t rows, cols, stride; } vaa_f64_rows;

/* Output buffers of the caller. A call that fills one has a `size_t *out_size` beside it, which gets the count of elements written; when
 * `capacity` is too small the call fails with VAA_ERROR_CAPACITY and its message names the count that is needed. */
typedef struct vaa_ids_out { int32_t *data; size_t capacity; } vaa_ids_out;
typedef struct vaa_i64s_out { int64_t *data; size_t capacity; } vaa_i64s_out;
typedef struct vaa_u8s_out { uint8_t *data; size_t capacity; } vaa_u8s_out;
typedef struct vaa_f32s_out { float *data; size_t capacity; } vaa_f32s_out;
typedef struct vaa_f64s_out { double *data; size_t capacity; } vaa_f64s_out;
typedef struct vaa_f32_rows_out { float *data; size_t rows, cols, stride; } vaa_f32_rows_out;
typedef struct vaa_f64_rows_out { double *data; size_t rows, cols, stride; } vaa_f64_rows_out;

/* VAA_ABI_VERSION of the library that is loaded. */
VAA_API int32_t vaa_abi_version(void);
/* "0.1.0", of the library that is loaded; static. */
VAA_API vaa_str vaa_version(void);
/* The name of a status, such as "VAA_ERROR_OPTION"; static; "VAA_ERROR_UNKNOWN" for a number that is none. */
VAA_API vaa_str vaa_status_name(vaa_status status);

#ifdef __cplusplus
}
#endif
#endif
