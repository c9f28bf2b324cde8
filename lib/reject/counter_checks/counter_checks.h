// What checks of counters share.
#pragma once
#include "reject/acceptance_rate.h"
#include "reject/counter_check.h"

namespace vaa {

// A fall of the acceptance rate that a pass would have found, where it is not known to be inside the margin.
constexpr double kSeenEnough = 0.2;

// The beginning of a window, as a person reads it; of the first its end, where nothing is known before it.
std::string window_start(const SpecSeries& series, size_t window);

}  // namespace vaa
