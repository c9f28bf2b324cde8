// What a detector is: one file in detectors/ that defines `extern const Detector kName;`, and one line in detectors/detector_table.cpp.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "quality/finding.h"
#include "records/sample.h"

namespace vaa {

class Features;  // quality/features.h: what one linear pass over a sample found, shared by all detectors

enum class State : int8_t { kNo, kFound, kUnknown };

struct Words {  // one text in English and Chinese
  const char* en = "";
  const char* zh = "";
};

// What `vaa explain` says beyond the summary, each in one to four sentences.
struct Explanation {
  Words rule;         // what exactly is tested, with the numbers of the rule
  Words calibration;  // the text that the rule was measured on, and what it flagged there
  Words traps;        // what looks like it and is not, and what it misses
  Words causes;       // usual causes seen in engines
  Words next;         // the next run to make
};

struct Detector {
  const char* name;    // the flag: public API
  Severity severity;   // the highest it gives
  double ceiling;      // rate that healthy engines reach: a run fails when the lower limit of the flag's rate is above it
  int account;         // place in the account of wrong answers (quality/account.h), -1: none
  // Appends findings and returns the state; kUnknown where the sample lacks what the test needs.
  State (*detect)(const Features& features, std::vector<Finding>* findings);
  Words title;         // a few words
  Words summary;       // one sentence: what it means
  Explanation explanation = {};
};

std::span<const Detector* const> detector_table();
int find_flag(std::string_view name);  // -1: no such flag

}  // namespace vaa
