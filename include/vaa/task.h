/* vaa/task.h: progress and cancellation of one long call. The only object that any threads may use at once. */
#ifndef VAA_TASK_H
#define VAA_TASK_H

#include "vaa/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vaa_task vaa_task;

VAA_API vaa_status vaa_task_new(vaa_task **out_task, vaa_error **err);
/* The call that was given this task returns VAA_ERROR_CANCELLED within 100 ms, and leaves no partial output. Also before the call begins. */
VAA_API void vaa_task_cancel(vaa_task *task);
/* Nonzero after vaa_task_cancel. */
VAA_API int32_t vaa_task_cancelled(const vaa_task *task);
/* How far the call is, in bytes of input (0 at first). */
VAA_API int64_t vaa_task_done(const vaa_task *task);
/* The bytes of input that there are; 0 where that is not known (a pipe). */
VAA_API int64_t vaa_task_total(const vaa_task *task);
/* Samples done so far. */
VAA_API int64_t vaa_task_samples(const vaa_task *task);
/* Samples of these that failed: requests that got no answer. */
VAA_API int64_t vaa_task_failed(const vaa_task *task);
/* How far a long call of one's own is, for who watches the task. */
VAA_API void vaa_task_set(vaa_task *task, int64_t done, int64_t total, int64_t samples, int64_t failed);
VAA_API void vaa_task_free(vaa_task *task);

#ifdef __cplusplus
}
#endif
#endif
