// vaa_audit through the border: pages, a log and a file come to one report; bad arguments; cancel.
#include <cmath>

#include "support.h"

namespace {

using Audit = Owned<vaa_audit, vaa_audit_free>;

const std::string kFaulty = std::string(VAA_EXAMPLE_DATA) + "/../spec_decode/faulty/";

Audit new_audit(std::string_view options = "") {
  vaa_audit* audit = nullptr;
  ok([&](vaa_error** err) { return vaa_audit_new(str(options), &audit, err); });
  return Audit(audit);
}

int32_t verdict_of(const vaa_audit* audit) {
  vaa_report* report = nullptr;
  ok([&](vaa_error** err) { return vaa_audit_report(audit, &report, err); });
  return vaa_report_verdict(Report(report).get());
}

}  // namespace

TEST_CASE("reject: nothing pushed is not checked, a faulty engine's files fail, and a report may be had between pushes", "[reject]") {
  const Audit audit = new_audit();
  CHECK(verdict_of(audit.get()) == VAA_VERDICT_NOT_CHECKED);
  ok([&](vaa_error** err) { return vaa_audit_push_page(audit.get(), str(""), str("vllm:spec_decode_num_drafts_total 0\n"), std::nan(""), err); });
  CHECK(verdict_of(audit.get()) != VAA_VERDICT_FAIL);
  for (const char* name : {"metrics.prom", "server.log", "answers.jsonl"}) ok([&](vaa_error** err) { return vaa_audit_push_file(audit.get(), str(kFaulty + name), str(""), nullptr, err); });
  CHECK(verdict_of(audit.get()) == VAA_VERDICT_FAIL);
}

TEST_CASE("reject: bad arguments have their status and leave the audit as it was", "[reject]") {
  const Audit audit = new_audit();
  vaa_audit* none = nullptr;
  CHECK(message(fault([&](vaa_error** err) { return vaa_audit_new(str(R"({"floor": 0})"), &none, err); })).find("floor") != std::string::npos);
  CHECK(vaa_error_status(fault([&](vaa_error** err) { return vaa_audit_push_page(audit.get(), str(""), str(""), 0, err); }).get()) == VAA_ERROR_FORMAT);
  CHECK(vaa_error_status(fault([&](vaa_error** err) { return vaa_audit_push_file(audit.get(), str("/nowhere"), str(""), nullptr, err); }).get()) == VAA_ERROR_NOT_FOUND);
  CHECK(vaa_error_status(fault([&](vaa_error** err) { return vaa_audit_push_file(audit.get(), str(kFaulty + "server.log"), str(R"({"speculation": "yes"})"), nullptr, err); }).get()) == VAA_ERROR_OPTION);
  CHECK(vaa_error_status(fault([&](vaa_error** err) { return vaa_audit_push_sample(audit.get(), nullptr, 0, err); }).get()) == VAA_ERROR_ARGUMENT);
  CHECK(vaa_error_status(fault([&](vaa_error** err) { return vaa_audit_push_log(nullptr, str(""), str("x"), 1, err); }).get()) == VAA_ERROR_ARGUMENT);
  vaa_task* task = nullptr;
  ok([&](vaa_error** err) { return vaa_task_new(&task, err); });
  const Task owned(task);
  vaa_task_cancel(task);
  CHECK(vaa_error_status(fault([&](vaa_error** err) { return vaa_audit_push_file(audit.get(), str(kFaulty + "server.log"), str(""), task, err); }).get()) == VAA_ERROR_CANCELLED);
  CHECK(verdict_of(audit.get()) == VAA_VERDICT_NOT_CHECKED);
}
