// From checks to one verdict and the sentence that gives its reason.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "quality/baseline.h"
#include "quality/expect.h"
#include "quality/score.h"
#include "report/check.h"

namespace vaa {

struct Cause {
  const char* kind;  // run, flag, baseline, expect, require, input
  std::string name;
  Said words;
};
struct RunVerdict {
  Verdict verdict = Verdict::kPass;
  Said reason;
  std::vector<Cause> causes;  // what decided: of the verdict's kind only
};
struct RunChecks {
  std::vector<Check> checks;  // ceiling_checks
  std::optional<BaselineResult> baseline;
  std::optional<ExpectResult> expect;
};
// A failed check fails; else what could not be judged is not checked; else an undecided comparison is undecided; else the run passes.
RunVerdict decide_run(const Tally::State& state, const RunChecks& checks, const InputFacts& facts);

}  // namespace vaa
