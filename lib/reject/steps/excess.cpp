#include "reject/steps/excess.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "stats/distributions.h"
#include "stats/intervals.h"
#include "stats/power.h"

namespace vaa {
namespace {

constexpr double kLevel = 0.05;
constexpr double kPower = 0.9;
constexpr double kSeen = 0.05;  // a pass would have shown that share

}  // namespace

void Excess::add(bool outcome, double chance) {
  const double off = (outcome ? 1 : 0) - chance;
  sum_.add(off);
  due_.add(chance);
  known_.add(chance * (1 - chance));
  seen_.add(off * off);
}

double Excess::per_outcome() const { return count() > 0 ? excess() / static_cast<double>(count()) : std::nan(""); }
double Excess::variance() const { return std::max(known_.value(), seen_.value()); }
double Excess::z() const { return known_.value() > 0 ? excess() / std::sqrt(known_.value()) : std::nan(""); }

void judge_difference(double effect, double standard_error, double v, double n, double margin, double looks, AuditFinding* out) {
  const double reach = stats::normal_quantile(1 - kLevel / (2 * looks)), beyond = std::fabs(effect) - margin;
  out->n = n;
  out->effect = effect;
  out->margin = margin;
  out->lower = effect - reach * standard_error;
  out->upper = effect + reach * standard_error;
  out->p = standard_error > 0 ? std::min(1.0, 2 * looks * stats::normal_tail(beyond / standard_error)) : beyond > 0 ? 0 : 1;
  out->detectable = margin + (reach + stats::normal_quantile(kPower)) * standard_error;
  const double factor = reach + stats::normal_quantile(kPower);
  if (beyond != 0) out->n_needed = stats::whole_need(std::max(1.0, factor * factor * v / (beyond * beyond)));
  out->status = out->lower > margin || out->upper < -margin ? FindingStatus::kFail : out->lower > -margin && out->upper < margin ? FindingStatus::kPass : FindingStatus::kUndecided;
}

void judge_excess(const Excess& excess, double margin, double looks, AuditFinding* out) {
  const auto n = static_cast<double>(excess.count());
  // One outcome more, as far off as one can be: no variance of a few outcomes is 0.
  const double variance = excess.variance() + 1;
  judge_difference(excess.per_outcome(), std::sqrt(variance) / n, variance / n, n, margin, looks, out);
  out->lower = std::max(-1.0, out->lower), out->upper = std::min(1.0, out->upper);  // of shares
  out->due = excess.due(), out->variance = excess.known_variance(), out->z = excess.z();
}

void judge_rare(int64_t k, int64_t n, double floor, AuditFinding* out) {
  const stats::Interval interval = stats::clopper_pearson(k, n);
  out->n = static_cast<double>(n);
  out->effect = static_cast<double>(k) / static_cast<double>(n);
  out->lower = interval.low, out->upper = interval.high;
  out->margin = floor;
  out->p = stats::binomial_at_least(k, n, floor);
  const bool few = interval.high > std::max(kSeen, floor);
  out->status = interval.low > floor ? FindingStatus::kFail : few ? FindingStatus::kUndecided : FindingStatus::kPass;
  if (few && k == 0) out->n_needed = stats::whole_need(math::log(kLevel / 2) / math::log1p(-kSeen));
}

}  // namespace vaa
