// include/vaa/monitor.h
#include "vaa/monitor.h"

#include "base/views.h"
#include "capi/finding_record.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "quality/monitor.h"

using vaa::given;
using vaa::guard;

struct vaa_monitor {
  vaa::Monitor monitor;
  vaa_finding finding;
};

namespace {

// Bits of the flags that a monitor does not look for.
uint64_t untested(const vaa::MonitorOptions& options) {
  uint64_t bits = 0;
  const auto table = vaa::detector_table();
  for (size_t i = 0; i < table.size(); ++i) {
    const std::string_view name = table[i]->name;
    if (name != "repetition_loop" && !(options.counters && name == "counter_loop")) bits |= uint64_t{1} << i;
  }
  return bits;
}

}  // namespace

extern "C" {

vaa_status vaa_monitor_new(vaa_str options, const vaa_vocab* vocab, vaa_monitor** out_monitor, vaa_error** err) {
  return guard(err, [&] {
    given(out_monitor, "out_monitor");
    *out_monitor = new vaa_monitor{vaa::Monitor(vaa::monitor_options(vaa::view(options)), vocab ? &vocab->vocab : nullptr), {}};
  });
}

vaa_status vaa_monitor_push_ids(vaa_monitor* monitor, vaa_ids chunk, int32_t* out_state, vaa_error** err) {
  return guard(err, [&] {
    given(out_state, "out_state");
    *out_state = static_cast<int32_t>(given(monitor, "monitor")->monitor.push_ids(vaa::view(chunk)));
  });
}
vaa_status vaa_monitor_push_text(vaa_monitor* monitor, vaa_str chunk, int32_t* out_state, vaa_error** err) {
  return guard(err, [&] {
    given(out_state, "out_state");
    *out_state = static_cast<int32_t>(given(monitor, "monitor")->monitor.push_text(vaa::view(chunk)));
  });
}

vaa_status vaa_monitor_findings(vaa_monitor* monitor, vaa_findings* out_findings, vaa_error** err) {
  return guard(err, [&] {
    given(monitor, "monitor");
    given(out_findings, "out_findings");
    const std::optional<vaa::Finding> found = monitor->monitor.finding();
    if (found) monitor->finding = vaa::finding_record(*found);
    *out_findings = {&monitor->finding, found ? size_t{1} : size_t{0}, untested(monitor->monitor.options())};
  });
}

vaa_status vaa_monitor_report(const vaa_monitor* monitor, vaa_text** out_text, vaa_error** err) {
  return guard(err, [&] {
    given(out_text, "out_text");
    *out_text = new vaa_text{given(monitor, "monitor")->monitor.report()};
  });
}

void vaa_monitor_reset(vaa_monitor* monitor) {
  if (monitor) monitor->monitor.reset();
}
void vaa_monitor_free(vaa_monitor* monitor) { delete monitor; }

}  // extern "C"
