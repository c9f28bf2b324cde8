// The audit of speculation: scrapes, logs, what requests record and steps go in, one report comes out (docs/reject.md).
#pragma once
#include <string>
#include <string_view>

#include "reject/counter_check.h"
#include "reject/log_lines.h"
#include "reject/sample_cells.h"
#include "reject/scrapes.h"
#include "reject/steps/step_audit.h"
#include "report/report.h"

namespace vaa {

// Throws Failure (VAA_ERROR_OPTION).
RejectAuditOptions reject_audit_options(std::string_view json);

class RejectAudit {
 public:
  explicit RejectAudit(const RejectAuditOptions& options) : options_(options) {}
  Scrapes& scrapes() { return scrapes_; }
  LogLines& log() { return log_; }
  SampleCells& samples() { return samples_; }
  StepAudit& steps() { return steps_; }
  // Kind "reject". Cost: windows, and engines times windows where one is held against the others.
  Report report() const;

 private:
  RejectAuditOptions options_;
  Scrapes scrapes_;
  LogLines log_;
  SampleCells samples_;
  StepAudit steps_;
};

}  // namespace vaa
