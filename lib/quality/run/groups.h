// Where the flagged answers of a run stand: the groups by dataset, repeat, length of the prompt, endpoint, time and the like that hold more of them than of the others. An association, never a cause.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "quality/run/run_features.h"

namespace vaa {

// A group of samples as seen by one flag. n of all samples are in the group, k of all_k flagged ones.
struct FlagGroup {
  std::string about;           // broken, request_failed, or a flag
  const char* key = "";        // dataset, repeat, prompt_tokens, prompt_tokens_mod_16, onset, unit, endpoint, …
  std::string value;
  int64_t k = 0, all_k = 0;
  int64_t n = -1, all = -1;    // onset, unit: -1, for only flagged answers have one
  double base = std::nan("");  // share of the unflagged that are in the group; onset: what chance would put there
  double p = std::nan(""), p_adjusted = std::nan("");  // one-sided exact; NaN for unit
  std::string same_as;         // "broken by endpoint node-3": an earlier row of the same flagged samples in a group of the same samples; "" : none
  uint64_t members = 0;        // hash of these samples
  bool most = false;           // it explains most: adjusted p below 1 %, over half of the flagged, and three times the rate outside
  Said words;
};
struct FlagGroups {
  int64_t tried = 0;               // groups that were tested: what p_adjusted is adjusted for (Benjamini and Hochberg)
  std::vector<FlagGroup> shown;    // at most kMostGroups, by p; of equal ones, by name
};
constexpr size_t kMostGroups = 200;
// Of broken answers, failed requests and each flag with 5 and more. n log n in the samples for each key.
FlagGroups group_flagged(const RunFeatures& run);
void append_groups(JsonWriter* json, const FlagGroups& groups);
Table group_table(const FlagGroups& groups);

}  // namespace vaa
