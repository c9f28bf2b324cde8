// What a check of counters is: one file in counter_checks/ that defines a CounterCheck, and one line in counter_checks/counter_check_table.cpp.
#pragma once
#include <span>
#include <vector>

#include "reject/audit_finding.h"
#include "reject/sample_cells.h"
#include "reject/spec_counts.h"

namespace vaa {

struct CounterEvidence {
  std::vector<SpecSeries> series;
  SampleCells samples;
  RejectAuditOptions options;
};

struct CounterCheck : AuditCheck {
  void (*run)(const CounterEvidence& evidence, std::vector<AuditFinding>* out);
};
std::span<const CounterCheck* const> counter_check_table();

}  // namespace vaa
