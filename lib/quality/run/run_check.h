// What a check of a whole run is: one file in quality/run/ that defines `extern const RunCheck kName;`, and one line in run/run_check_table.cpp.
#pragma once
#include <cmath>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include "quality/detector.h"
#include "report/check.h"

namespace vaa {

class RunFeatures;  // quality/run/run_features.h: what is kept of all samples

// A sample that a check names.
struct Named {
  uint32_t sample = 0;
  uint32_t other = static_cast<uint32_t>(-1);  // the sample it goes with: whose question it answers, whose answer it repeats; -1: none
  bool operator<(const Named& b) const { return sample < b.sample; }
};

// What a check says of a run: k of n answers (or questions, …).
struct RunFound {
  int64_t k = 0, n = 0;            // n 0: it could not be tested
  bool certain = false;            // false: shown, and fails a run only where the caller asks for it
  double p = std::nan("");         // of the test that decided, where there is one
  const char *of_en = "answers", *of_zh = "个回答";
  std::vector<Named> samples;      // all of them, in any order
  Said words;                      // what more there is to say; with n 0, what it would need
};

struct RunCheck {
  const char* name;   // public API, beside the flags
  double ceiling;     // rate that healthy engines reach: a run fails when the lower limit of the check's rate is above it; 1: shown, never fails a run
  bool score;         // what it finds makes the score invalid; else it means broken answers
  RunFound (*look)(const RunFeatures& run);  // n log n in the samples of the run; the same for any order of input
  Words title;        // a few words
  Words summary;      // one sentence: what it means
  Explanation explanation;
};

std::span<const RunCheck* const> run_check_table();
int find_run_check(std::string_view name);  // -1: no such check

}  // namespace vaa
