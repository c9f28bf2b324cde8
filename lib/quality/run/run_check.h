// What a check of a whole run is: one file in quality/run/ that defines `extern const RunCheck kName;`, and one line in run/run_check_table.cpp.
#pragma once
#include <iterator>
#include <span>
#include <string_view>

#include "quality/detector.h"

namespace vaa {

struct RunCheck {
  const char* name;   // public API, beside the flags
  double ceiling;     // rate that healthy engines reach: a run fails when the lower limit of the check's rate is above it; 1: shown, never fails a run
  bool score;         // what it finds makes the score invalid; else it means broken answers
  Words title;        // a few words
  Words summary;      // one sentence: what it means
  Explanation explanation;
};

std::span<const RunCheck* const> run_check_table();
int find_run_check(std::string_view name);  // -1: no such check

}  // namespace vaa
