// include/vaa/stats.h
#include "vaa/stats.h"

#include "capi/guard.h"
#include "stats/intervals.h"

using vaa::given;
using vaa::guard;

namespace {

void put(const vaa::stats::Interval& interval, double* out_low, double* out_high) {
  given(out_low, "out_low");
  *given(out_high, "out_high") = interval.high;
  *out_low = interval.low;
}

}  // namespace

extern "C" {

vaa_status vaa_stats_wilson(int64_t k, int64_t n, double confidence, double* out_low, double* out_high, vaa_error** err) {
  return guard(err, [&] { put(vaa::stats::wilson(k, n, confidence), out_low, out_high); });
}
vaa_status vaa_stats_clopper_pearson(int64_t k, int64_t n, double confidence, double* out_low, double* out_high, vaa_error** err) {
  return guard(err, [&] { put(vaa::stats::clopper_pearson(k, n, confidence), out_low, out_high); });
}

}  // extern "C"
