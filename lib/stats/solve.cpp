#include "stats/solve.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"

namespace vaa::stats {

double solve_positive(const std::function<double(double)>& value, const std::function<double(double)>& slope, bool rising, double target, double guess,
                      double high) {
  double low = 1e-307;
  double x = std::clamp(guess, low, high);
  for (int i = 0; i < 300; ++i) {
    const double now = value(x);
    ((now < target) == rising ? low : high) = x;
    const double relative = (target - now) / now;
    const double log_ratio = std::fabs(relative) < 0.5 ? math::log1p(relative) : math::log(target) - math::log(now);
    const double rate = slope(x) / now * x;  // of log value by log x
    double next = x + x * math::expm1((rising ? log_ratio : -log_ratio) / rate);
    if (std::fabs(next - x) <= 0x1p-51 * x) return std::min(next, high);
    if (!(next > low && next < high)) next = std::sqrt(low) * std::sqrt(high);
    if (!(next > low && next < high)) return next;
    x = next;
  }
  return x;
}

double solve_crossing(const std::function<Slope(double)>& value, double low, double high) {
  const bool rising = value(low).value < 0;
  double x = std::sqrt(low) * std::sqrt(high);
  for (int i = 0; i < 300; ++i) {
    const Slope now = value(x);
    if (now.value == 0) return x;
    ((now.value < 0) == rising ? low : high) = x;
    double next = x - now.value / now.slope;
    if (std::fabs(next - x) <= 0x1p-51 * x) return std::clamp(next, low, high);
    if (!(next > low && next < high)) next = std::sqrt(low) * std::sqrt(high);
    if (!(next > low && next < high)) return next;
    x = next;
  }
  return x;
}

}  // namespace vaa::stats
