// How one check of a sampler is written down: one file in checks/ and one line in check_table.cpp.
#pragma once
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/sections.h"
#include "sampler/calibration/group.h"

namespace vaa::sampler {

// What a check may look at.
struct GroupView {
  const Group& group;
  const Reading& reading;       // by the kind of the logprobs
  LogprobKind kind;
  double temperature_margin;    // as a share: 0.1
  bool scored;                  // the logprobs are another engine's
  uint64_t draw_seed;
  double fitted;                // the temperature that the tokens behave like; NaN: not fitted
  bool fit_off;                 // and it lies beyond the margin
};

struct CheckResult {
  bool applies = false;
  double effect = std::nan(""), lower = std::nan(""), upper = std::nan("");  // with the 95 % interval
  const char* unit = "";
  double margin = std::nan("");
  double p_beyond = std::nan("");  // one-sided, against "inside the margin": the gate
  bool inside = false;
  bool unsure = false;             // a failure has another explanation, which `words` name: it is not called
  int64_t n = 0, n_needed = -1;    // tokens or pairs; how many more would settle it; -1: not known
  const char* n_unit = "tokens";
  const char* kind = "";           // what a failure says is wrong: temperature_ignored, …
  Both words;                      // one sentence with the size and the interval, or why it does not apply
  Both needed;                     // what would settle it
  std::string data;                // JSON object; "" : null
  std::vector<SectionLine> lines;
};

struct CalibrationCheck {
  const char* name;
  Both title;
  CheckResult (*run)(const GroupView& view);
};
std::span<const CalibrationCheck* const> calibration_checks();
// The sentence of a failure's kind.
Both calibration_kind(const char* kind);

CheckResult no_check(Both why);

// Of counts whose draws share their noise, what they are worth as counts of independent ones, toward what does not fire.
inline int64_t worth_at_most(int64_t count, double alike) { return static_cast<int64_t>(std::floor(static_cast<double>(count) / alike)); }
inline int64_t worth_at_least(int64_t count, double alike) { return static_cast<int64_t>(std::ceil(static_cast<double>(count) / alike)); }

}  // namespace vaa::sampler
