// Whether broken answers go with a switch: rates of the runs with it on against those with it off, all other switches equal. An association, not a cause.
#pragma once
#include <string>
#include <vector>

#include "base/sections.h"
#include "compare/paired_effect.h"
#include "compare/switch_matrix.h"

namespace vaa {

struct FlagRate {
  std::string flag;
  Both title;
  ClusteredRate rate;
};
// A run of the matrix: its settings, and how often its answers have each flag.
struct SwitchedRun {
  std::vector<bool> on;
  std::vector<FlagRate> rates;
};

struct SwitchRow {
  size_t of = 0;                    // index of the switch
  std::string flag;
  Both title;
  ClusteredRate on, off;            // counts of the runs that were compared, as they are
  int64_t strata = 0;               // settings of the other switches that have runs with it on and off; 0: none, and nothing was tested
  int64_t runs = 0;                 // of those strata
  std::vector<size_t> together;     // strata == 0: switches that are always switched with it, or always against it
  double p = std::nan(""), p_adjusted = std::nan("");
  int64_t clean_needed = -1;        // answers without it that would show that it goes away, where none has it yet; -1: not so
};
// "broken" and each flag that a run has, for every switch. Exact conditional test over the strata on counts shrunk by their design effects; Holm over all rows.
std::vector<SwitchRow> switch_rows(const SwitchMatrix& matrix, const std::vector<SwitchedRun>& runs);
// "switching graph off removes it: 0 of 400 against 9 of 1,000 with it on, p = 0.03, 0.04 under Holm"
Both switch_words(const SwitchMatrix& matrix, const SwitchRow& row);

}  // namespace vaa
