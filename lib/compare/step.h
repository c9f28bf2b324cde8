// How one step of a comparison is written down: one file in steps/ and one line in step_table.cpp.
#pragma once
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/sections.h"
#include "compare/margins.h"
#include "compare/paired_effect.h"
#include "compare/noise_profile.h"
#include "compare/openings.h"
#include "compare/pairing.h"
#include "compare/run_side.h"
#include "compare/token_evidence.h"

namespace vaa::sampler {
class Calibration;
}

namespace vaa {

// What a step may look at.
struct ComparisonView {
  const RunSide& reference;
  const RunSide& target;
  const RunPairing& pairing;
  const Margins& margins;
  int64_t known_broken = -1, known_all = 0;  // option baseline; -1: not given
  bool text = true;                          // false: no value that may hold text
  const TokenEvidence* tokens = nullptr;     // pairs of reference and target; nullptr: no ids on both sides
  const NoiseProfile* noise = nullptr;       // the reference against itself, from a second run or a file; nullptr: not measured
  const NoiseProfile* target_noise = nullptr;  // the target against itself
  const sampler::Calibration *reference_draws = nullptr, *target_draws = nullptr;  // nullptr: not looked at
  const SideFaults *reference_again = nullptr, *target_again = nullptr;  // of the second runs; nullptr: none, or without ids

  const Openings* openings = nullptr;        // two, of reference and target; nullptr: speculation was not what changed

  std::span<const SharedQuestion> shared() const { return pairing.shared; }
  const std::vector<int32_t>& reference_rows(const SharedQuestion& q) const { return reference.question(q.reference).rows; }
  const std::vector<int32_t>& target_rows(const SharedQuestion& q) const { return target.question(q.target).rows; }
};

enum class StepStatus : uint8_t {
  kPass,           // the interval of the effect lies inside the margin, or nothing was seen that comparisons of this size would miss
  kFail,           // the interval of the effect lies beyond the margin
  kUndecided,      // neither
  kNotApplicable,  // words say why
  kShown,          // a fact that gates nothing
};
const char* step_status_name(StepStatus status);

// When a symptom stands among where to look next.
enum class SymptomRule : uint8_t {
  kAsGate,         // where its step fails or differs for certain; of a step without a gate always
  kAlways,         // it is there for certain, whatever the gate says
  kBesideFailure,  // one of many places, by its own p: only beside a gate that fails
};

struct StepResult {
  bool applies = false;
  // In the unit of `unit`, with the 95 % interval; margin and detectable (the effect that is seen in 80 % of such comparisons) too.
  double effect = std::nan(""), lower = std::nan(""), upper = std::nan("");
  const char* unit = "";
  double margin = std::nan(""), detectable = std::nan("");
  double p = std::nan("");         // two-sided, against no difference
  double p_beyond = std::nan("");  // against "no worse than the margin": the gate
  bool inside = false;             // the interval lies inside the margin
  bool noise_free = false;         // no noise moves it to one side: where it may lie beyond the margin its own p keeps a pass away, not Holm's
  bool better = false;             // the interval lies wholly on the good side of no difference
  int64_t n = 0;
  const char* n_unit = "";         // questions, answers
  int64_t questions_needed = -1, repeats_needed = -1;  // for a change as large as the margin to be seen in 80 % of comparisons; -1: not known, or no number is enough
  Both words;                      // one sentence with the size and the interval, or why it does not apply
  Both needed;                     // what would settle it; "" : nothing is needed, or not known
  Both open;                       // why it is undecided, where that is not that its interval reaches across the margin
  const char* symptom = "";        // a row of symptom_table(); "" : none
  SymptomRule symptom_rule = SymptomRule::kAsGate;
  const char* kind = "";           // a row of verdict_kind_table(): what a failure says is wrong; "" : the one of the step's name. "not_comparable": the numbers of a side cannot be used
  std::string data;                // JSON value, the "data" of the step in the document; "" : null
  Section section;                 // table and lines; the heading is the step's title
  std::vector<NumberTable> numbers;
};

struct Step {
  const char* name;    // "score", "lengths", "first_token", …
  const char* family;  // score, flags, lengths, tokens, law, facts: what "primary" chooses
  bool gates;
  Both title;
  StepResult (*run)(const ComparisonView& view);
};
std::span<const Step* const> step_table();

// Takes the numbers of an effect.
void take_effect(StepResult* step, const Effect& effect);
// "-3.03 points (95 % interval -5.10 to -0.96)"
Both points_words(double value, double lower, double upper);
Both p_words(double p);
// Percentages as both languages write them: "98.1 to 98.9 %", "98.1–98.9%".
Both percent_words(const std::string& text);
// The interval and the margin in the step's unit: "-5.10 to 0.96 points", "1.00 points".
Both range_words(const StepResult& step);
Both margin_words(const StepResult& step);
StepResult not_applicable(Both why);
// Of a step about openings whose questions share seeds: it neither fails nor passes, and says why.
void leave_open_by_seeds(const ComparisonView& view, StepResult* step);

}  // namespace vaa
