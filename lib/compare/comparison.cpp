#include "compare/comparison.h"

#include "base/failure.h"
#include "compare/ask_plan.h"
#include "quality/gates.h"

namespace vaa {

std::span<const OptionSpec> comparison_option_table() {
  static const OptionSpec kTable[] = {
      {"change", OptionSpec::Type::kChoice, 0, 0, "none|schedule|parallel|version|hardware|quant|spec", "\"version\"", "what was changed on purpose: picks the margins"},
      {"primary", OptionSpec::Type::kChoice, 0, 0, "score|tokens|flags", "", "the family that is tested alone; default score where it is recorded, else tokens where the reference was held against itself, else flags"},
      {"baseline", OptionSpec::Type::kText, 0, 64, "", "\"\"", "k/n: broken answers before a fix"},
      {"text", OptionSpec::Type::kBool, 0, 0, "", "true", "false leaves every text out"},
  };
  return kTable;
}

ComparisonOptions comparison_options(const Options& options) {
  ComparisonOptions out;
  out.margins = &find_margins(options.text("change"));
  if (options.has("primary")) out.primary = options.text("primary");
  if (out.primary == "tokens" && !out.margins->gates_tokens) fail(VAA_ERROR_OPTION, std::string("primary: tokens decide nothing where change is ") + out.margins->change + ": their distances are reported, allowed are score and flags");
  out.text = options.boolean("text");
  TallyOptions known;
  known.baseline = options.text("baseline");
  if (const auto rate = parse_gates(known).baseline) {
    out.known_broken = rate->broken;
    out.known_all = rate->all;
  }
  return out;
}

Report Comparison::report() const {
  const RunPairing pairing = pair_questions(reference_, target_);
  Decision decision;
  if (Both why = why_not_comparable(reference_, target_, pairing, *options_.margins); !why.en.empty()) {
    decision = not_comparable(std::move(why));
  } else {
    const ComparisonView view{reference_, target_, pairing, *options_.margins, options_.known_broken, options_.known_all, options_.text};
    std::vector<StepOutcome> steps;
    for (const Step* step : step_table()) steps.push_back({step, step->run(view)});
    decision = decide(std::move(steps), options_.primary, view);
    decision.ask = ask_plan(decision, view);
  }
  return report_from_json(report_json(comparison_report({options_, reference_, target_, pairing, decision})));
}

}  // namespace vaa
