#include "reject/reject_audit.h"

#include <algorithm>

#include "base/options.h"
#include "reject/counter_report.h"
#include "stats/multiplicity.h"

namespace vaa {
namespace {

constexpr OptionSpec kOptions[] = {
    {"floor", OptionSpec::Type::kReal, 1e-6, 0.5, "", "0.01", "a share of drafts with something accepted below it is none"},
    {"margin", OptionSpec::Type::kReal, 0, 1, "", "0.05", "a fall of the acceptance rate up to it is none"},
    {"law_margin", OptionSpec::Type::kReal, 0, 0.5, "", "0.01", "by how much a probability of steps may be off"},
    {"tokens_per_draft", OptionSpec::Type::kInt, 1, 128, "", "8", "at most, where drafts are not counted"},
    {"configured", OptionSpec::Type::kBool, 0, 0, "", "false", "speculation is known to be configured"},
};

// Where all is of one server its name tells nothing apart.
void name_servers(std::vector<SpecSeries>* series) {
  const bool one = std::all_of(series->begin(), series->end(), [&](const SpecSeries& s) { return s.server == series->front().server; });
  if (one)
    for (SpecSeries& s : *series) s.server.clear();
}

// A finding fails by its interval, and by its p under Holm over all that were tested.
void adjust(std::vector<JudgedCheck>* checks) {
  std::vector<double> p;
  for (const JudgedCheck& check : *checks)
    for (const AuditFinding& f : check.findings)
      if (!std::isnan(f.p)) p.push_back(f.p);
  const std::vector<double> adjusted = stats::holm(p);
  size_t at = 0;
  for (JudgedCheck& check : *checks) {
    for (AuditFinding& f : check.findings) {
      if (std::isnan(f.p)) continue;
      f.p_adjusted = adjusted[at++];
      if (f.status == FindingStatus::kFail && f.p_adjusted > kAuditAlpha) f.status = FindingStatus::kUndecided;
    }
  }
}

// One finding a check and rank. Two of one rank, under different headers, are told apart by their number.
void judge_steps(const StepAudit& steps, const RejectAuditOptions& options, std::vector<JudgedCheck>* out) {
  const std::vector<std::string> labels = step_labels(steps);
  const auto table = step_check_table();
  for (size_t c = 0; c < table.size(); ++c) {
    out->push_back({table[c], {}});
    std::vector<AuditFinding>& findings = out->back().findings;
    for (size_t g = 0; g < labels.size(); ++g) {
      const StepTally* tally = steps.groups()[g]->tallies[c].get();
      const size_t before = findings.size();
      if (tally) tally->judge(options, &findings);
      for (size_t i = before; i < findings.size(); ++i) findings[i].engine = labels[g];
    }
  }
}

}  // namespace

RejectAuditOptions reject_audit_options(std::string_view json) {
  const Options given(json, kOptions, "vaa_audit_new");
  RejectAuditOptions out;
  out.floor = given.real("floor");
  out.margin = given.real("margin");
  out.law_margin = given.real("law_margin");
  out.tokens_per_draft = static_cast<double>(given.integer("tokens_per_draft"));
  out.configured = given.boolean("configured");
  return out;
}

Report RejectAudit::report() const {
  CounterEvidence evidence;
  CounterJudgement judged;
  evidence.options = options_;
  evidence.samples = samples_;
  evidence.series = scrapes_.series(&judged.pages);
  std::vector<SpecSeries> logged = log_.series(&judged.log);
  for (SpecSeries& series : logged) evidence.series.push_back(std::move(series));
  if (!evidence.series.empty()) name_servers(&evidence.series);
  judged.evidence = &evidence;
  judged.steps = &steps_;
  judge_steps(steps_, options_, &judged.checks);
  for (const CounterCheck* check : counter_check_table()) {
    judged.checks.push_back({check, {}});
    check->run(evidence, &judged.checks.back().findings);
  }
  adjust(&judged.checks);
  return counter_report(judged);
}

}  // namespace vaa
