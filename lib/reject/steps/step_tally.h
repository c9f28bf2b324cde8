// What a check of steps is: one file in step_checks/ that defines a StepCheck, and one line in step_checks/step_check_table.cpp. It looks at each row of an engine as it comes, and keeps counts.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "reject/audit_finding.h"
#include "reject/bug_laws/bug_law.h"
#include "reject/steps/step_row.h"

namespace vaa {

// How much likelier the rows are under the law of a known fault than under the right one.
struct FaultFit {
  const BugLaw* law;
  double log10;                    // of the likelihood ratio
  int64_t events;                  // acceptances, tokens and drafts that it is of
  bool fits;                       // acceptances are as the fault has them, too
  double share;                    // of the steps that have it
};

class StepTally {
 public:
  StepTally() = default;
  StepTally(const StepTally&) = delete;
  StepTally& operator=(const StepTally&) = delete;
  virtual ~StepTally() = default;
  virtual void add(const StepView&) {}
  // Of a row that add() has seen.
  virtual void add_full(const StepView&, const FullRows&) {}
  // Findings in which `engine` is not set yet.
  virtual void judge(const RejectAuditOptions& options, std::vector<AuditFinding>* out) const = 0;
  virtual std::vector<FaultFit> fits() const { return {}; }
};

struct StepCheck : AuditCheck {
  // nullptr: says nothing of such steps.
  std::unique_ptr<StepTally> (*make)(const StepHeader& header);
};
std::span<const StepCheck* const> step_check_table();

}  // namespace vaa
