// What a run records of how it was made.
#pragma once
#include "align/setup.h"
#include "records/reader.h"

namespace vaa {

constexpr int64_t kSamplesOfSetup = 1000;
Setup setup_of_run(const Input& input);

}  // namespace vaa
