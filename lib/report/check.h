// One check of a report: what was tested, its size, its interval, and the words for people.
#pragma once
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "report/report.h"

namespace vaa {

struct Said {  // one text in English and Chinese
  std::string en, zh;
};

// NaN and -1: does not apply or is not known.
struct Check {
  std::string name;               // of a flag: its name
  const char* kind = "flag";      // flag, run, baseline, expect
  const char* severity = "";      // of a flag
  Said title;
  Verdict status = Verdict::kNotChecked;
  bool gates = true;              // false: shown, never decides
  int64_t n = 0, k = 0;           // tested; of these with what is looked for
  int64_t found = 0;              // flags: with a finding of any severity or confidence
  double rate = std::nan(""), lower = std::nan(""), upper = std::nan("");  // k of n with its 95 % interval (Wilson)
  int64_t all = -1;                // answers that k is judged among: the n tested, and those where the flag is unknown
  double limit = std::nan("");    // one-sided lower limit of k in all (Clopper-Pearson) that is held against the ceiling
  double ceiling = std::nan("");  // rate that may be reached
  const char* ceiling_from = "";  // who says so: healthy (engines reach it), fail_on (the caller)
  double effect = std::nan(""), effect_lower = std::nan(""), effect_upper = std::nan("");  // difference that is judged, with its 95 % interval
  double margin = std::nan("");
  double p = std::nan(""), p_adjusted = std::nan("");
  double detectable = std::nan("");  // the smallest rate that would have failed in 95 % of such runs
  int64_t n_needed = -1;             // samples that would decide
  Said words;
};
void append_said(JsonWriter* json, const char* key, const Said& said);
void append_check(JsonWriter* json, const Check& check);
// Their numbers as a table with one row a check.
Table check_table(const std::vector<Check>& checks);

}  // namespace vaa
