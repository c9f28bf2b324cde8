// What checks of counters share.
#pragma once
#include "reject/acceptance_rate.h"
#include "reject/counter_check.h"
#include "reject/zero_rate.h"

namespace vaa {

// A fall of the acceptance rate that a pass would have found, where it is not known to be inside the margin.
constexpr double kSeenEnough = 0.2;

// Takes the numbers of a share that should be above `floor`: fails where it lies below for certain, passes where above.
void judge_zero(const ZeroRate& zero, double floor, AuditFinding* f);
// Of a share at T > 0: a tenth of that at T = 0 where there something is accepted, and `floor` at least.
double floor_beside_greedy(double floor, double greedy);

// The beginning of a window, as a person reads it; of the first its end, where nothing is known before it.
std::string window_start(const SpecSeries& series, size_t window);

}  // namespace vaa
