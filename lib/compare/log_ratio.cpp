#include "compare/log_ratio.h"

#include <algorithm>
#include <limits>

#include "stats/distributions.h"

namespace vaa {

double jackknife_error(std::span<const double> changes) {
  const auto n = static_cast<double>(changes.size());
  if (n < 2) return std::numeric_limits<double>::infinity();
  double mean = 0, squares = 0;
  for (const double d : changes) mean += d / n;
  for (const double d : changes) squares += (d - mean) * (d - mean);
  return std::sqrt((n - 1) / n * squares);
}

void finish_effect(Effect* effect) {
  const stats::Interval i = effect->at(0.95);
  effect->lower = i.low;
  effect->upper = i.high;
  if (std::isnan(effect->p)) effect->p = std::min(p_above(*effect, 0), p_below(*effect, 0));
  effect->shown_p = effect->p;
}

Effect log_ratio(const LogEstimate& reference, const LogEstimate& target) {
  const double a = reference.error * reference.error, b = target.error * target.error, error = std::sqrt(a + b), value = target.value - reference.value;
  const auto freedom = [](const LogEstimate& e) { return static_cast<double>(std::max<int64_t>(1, e.questions - 1)); };
  const double df = std::max(1.0, (a + b) * (a + b) / (a * a / freedom(reference) + b * b / freedom(target)));
  Effect effect;
  effect.n = target.questions;
  effect.value = value;
  effect.error = error;
  effect.p = stats::student_two_sided(value / error, df);
  effect.at = [=](double confidence) {
    const double half = stats::student_upper_quantile((1 - confidence) / 2, df) * error;
    return stats::Interval{value - half, value + half};
  };
  finish_effect(&effect);
  return effect;
}

}  // namespace vaa
