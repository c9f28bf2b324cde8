// include/vaa/reject.h
#include "vaa/reject.h"

#include "base/views.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "reject/reject_audit.h"
#include "reject/file_evidence.h"

using vaa::given;
using vaa::guard;
using vaa::view;

struct vaa_audit {
  vaa::RejectAudit audit;
};

extern "C" {

vaa_status vaa_audit_new(vaa_str options, vaa_audit** out_audit, vaa_error** err) {
  return guard(err, [&] {
    given(out_audit, "out_audit");
    *out_audit = new vaa_audit{vaa::RejectAudit(vaa::reject_audit_options(view(options)))};
  });
}

vaa_status vaa_audit_push_file(vaa_audit* audit, vaa_str path, vaa_str options, vaa_task* task, vaa_error** err) {
  return guard(err, [&] { vaa::push_file(&given(audit, "audit")->audit, std::string(view(path)), vaa::file_evidence_options(view(options)), task ? &task->task : nullptr); });
}

vaa_status vaa_audit_push_page(vaa_audit* audit, vaa_str server, vaa_str page, double time_s, vaa_error** err) {
  return guard(err, [&] { given(audit, "audit")->audit.scrapes().push(view(server), view(page), time_s); });
}

vaa_status vaa_audit_push_log(vaa_audit* audit, vaa_str server, vaa_str bytes, int32_t last, vaa_error** err) {
  return guard(err, [&] { given(audit, "audit")->audit.log().push(view(server), view(bytes), last != 0); });
}

vaa_status vaa_audit_push_sample(vaa_audit* audit, const vaa_sample* sample, int32_t speculation, vaa_error** err) {
  return guard(err, [&] {
    if (speculation < -1 || speculation > 1) vaa::fail(VAA_ERROR_ARGUMENT, "speculation: is " + std::to_string(speculation) + ", must be 1 (on), 0 (off) or -1 (not known)");
    given(audit, "audit")->audit.samples().push(given(sample, "sample")->sample, static_cast<vaa::Speculation>(speculation));
  });
}

vaa_status vaa_audit_report(const vaa_audit* audit, vaa_report** out_report, vaa_error** err) {
  return guard(err, [&] {
    given(out_report, "out_report");
    *out_report = new vaa_report{given(audit, "audit")->audit.report()};
  });
}
void vaa_audit_free(vaa_audit* audit) { delete audit; }

}  // extern "C"
