#include "quality/run/run_check.h"

namespace vaa {

extern const RunCheck kCrossTalk, kDuplicateAnswers, kIdenticalRepeats, kSameLengthWall, kReasoningMissing, kFirstTokenCollapse, kTimeBurst, kMissingRepeats;

namespace {
constexpr const RunCheck* kTable[] = {
    &kCrossTalk, &kDuplicateAnswers, &kIdenticalRepeats, &kSameLengthWall, &kReasoningMissing, &kFirstTokenCollapse, &kTimeBurst, &kMissingRepeats,
};
}  // namespace

std::span<const RunCheck* const> run_check_table() { return kTable; }

int find_run_check(std::string_view name) {
  for (size_t i = 0; i < std::size(kTable); ++i) {
    if (name == kTable[i]->name) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace vaa
