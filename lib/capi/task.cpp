// include/vaa/task.h
#include "vaa/task.h"

#include "capi/guard.h"
#include "capi/handles.h"

extern "C" {

vaa_status vaa_task_new(vaa_task** out_task, vaa_error** err) {
  return vaa::guard(err, [&] {
    vaa::given(out_task, "out_task");
    *out_task = new vaa_task;
  });
}
void vaa_task_cancel(vaa_task* task) {
  if (task) task->task.cancel();
}
int32_t vaa_task_cancelled(const vaa_task* task) { return task && task->task.cancelled(); }
int64_t vaa_task_done(const vaa_task* task) { return task ? task->task.done.load(std::memory_order_relaxed) : 0; }
int64_t vaa_task_total(const vaa_task* task) { return task ? task->task.total.load(std::memory_order_relaxed) : 0; }
int64_t vaa_task_samples(const vaa_task* task) { return task ? task->task.samples.load(std::memory_order_relaxed) : 0; }
int64_t vaa_task_failed(const vaa_task* task) { return task ? task->task.failed.load(std::memory_order_relaxed) : 0; }
void vaa_task_set(vaa_task* task, int64_t done, int64_t total, int64_t samples, int64_t failed) {
  if (!task) return;
  task->task.done.store(done, std::memory_order_relaxed);
  task->task.total.store(total, std::memory_order_relaxed);
  task->task.samples.store(samples, std::memory_order_relaxed);
  task->task.failed.store(failed, std::memory_order_relaxed);
}
void vaa_task_free(vaa_task* task) { delete task; }

}  // extern "C"
