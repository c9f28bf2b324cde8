// include/vaa/metrics.h
#include "vaa/metrics.h"

#include "base/views.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "records/engine_counters.h"

using vaa::given;
using vaa::guard;

struct vaa_metrics {
  vaa::EngineCounters counters;
};

extern "C" {

vaa_status vaa_metrics_new(vaa_metrics** out_metrics, vaa_error** err) {
  return guard(err, [&] {
    given(out_metrics, "out_metrics");
    *out_metrics = new vaa_metrics;
  });
}
vaa_status vaa_metrics_push(vaa_metrics* metrics, vaa_str page, double time_s, vaa_error** err) {
  return guard(err, [&] { given(metrics, "metrics")->counters.push(vaa::view(page), time_s); });
}
vaa_status vaa_metrics_counted(const vaa_metrics* metrics, vaa_text** out_text, vaa_error** err) {
  return guard(err, [&] {
    given(out_text, "out_text");
    *out_text = new vaa_text{given(metrics, "metrics")->counters.json()};
  });
}
void vaa_metrics_free(vaa_metrics* metrics) { delete metrics; }

}  // extern "C"
