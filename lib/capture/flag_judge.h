// Whether an answer has a flag, by vaa's own detectors.
#pragma once
#include <string>

#include "capture/owned.h"

namespace vaa::capture {

class FlagJudge {
 public:
  // A flag's name, or "any": one of severity fail. Throws Failure (VAA_ERROR_OPTION) that names the flags there are.
  explicit FlagJudge(const std::string& flag);
  bool has(const vaa_sample* sample);

 private:
  int32_t flag_ = -1;         // -1: any
  OwnedChecker checker_;
  OwnedTally tally_;
  int64_t pushed_ = 0;
};

}  // namespace vaa::capture
