// The report of an audit of speculation: what was read, what each check says, the 2 x 2 of temperature and speculation, acceptance over time, what could not be tested.
#pragma once
#include <vector>

#include "reject/counter_check.h"
#include "reject/log_lines.h"
#include "reject/scrapes.h"
#include "reject/steps/step_audit.h"
#include "report/report.h"

namespace vaa {

struct JudgedCheck {
  const AuditCheck* check;
  std::vector<AuditFinding> findings;
};
struct CounterJudgement {
  const CounterEvidence* evidence;
  const StepAudit* steps;
  ScrapeOddities pages;
  LogOddities log;
  std::vector<JudgedCheck> checks;
};
Report counter_report(const CounterJudgement& judgement);

// Sections of it.
Section engine_section(const CounterEvidence& evidence);
Section time_section(const CounterEvidence& evidence);        // no rows: too few windows
Section cell_section(const SampleCells& samples);             // no rows: no records
Section limit_section(const CounterJudgement& judgement);
Section step_section(const StepAudit& steps);                 // no rows: no steps
Section fault_section(const StepAudit& steps);                // no rows: no known fault fits
void append_steps(const StepAudit& steps, JsonWriter* json);
// "rank 3", one a group of steps.
std::vector<std::string> step_labels(const StepAudit& steps);

}  // namespace vaa
