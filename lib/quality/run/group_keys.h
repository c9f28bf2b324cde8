// What samples are grouped by.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "quality/run/run_features.h"

namespace vaa {

// One key's value of every sample, as a small number; kUnknown where it is not recorded.
struct GroupColumn {
  static constexpr int64_t kUnknown = -1;
  std::vector<int64_t> values;
};
struct GroupKey {
  const char* name;
  Words phrase;  // "are of rank": the value follows
  GroupColumn (*read)(const RunFeatures& run);
  std::string (*show)(const RunFeatures& run, int64_t value);
};
std::span<const GroupKey> group_keys();

// 0, 1, 2 to 3, 4 to 7, …, and how a bin is written: "4–7".
int64_t doubling_bin(int64_t n);
std::string bin_text(int64_t bin);

}  // namespace vaa
