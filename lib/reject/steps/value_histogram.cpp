#include "reject/steps/value_histogram.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "stats/power.h"
#include "stats/tails.h"

namespace vaa {
namespace {

constexpr size_t kClasses = 16;
constexpr double kLevel = 0.05, kPower = 0.9;

// The distance that n values stay below, but for a chance of `level`.
double reach_of(double n, double level) { return std::sqrt(math::log(2 / level) / (2 * n)); }

}  // namespace

void ValueHistogram::add(double value) {
  bins_[std::min(kBins - 1, static_cast<size_t>(std::max(0.0, value) * static_cast<double>(kBins)))] += 1;
  count_ += 1;
}

double ValueHistogram::distance() const {
  double out = 0;
  int64_t below = 0;
  for (size_t i = 0; i < kBins; ++i) {
    below += bins_[i];
    out = std::max(out, std::fabs(static_cast<double>(below) / static_cast<double>(count_) - static_cast<double>(i + 1) / static_cast<double>(kBins)));
  }
  return count_ > 0 ? out : std::nan("");
}

double ValueHistogram::p_chi_square() const {
  double sum = 0;
  const double due = static_cast<double>(count_) / static_cast<double>(kClasses);
  for (size_t c = 0; c < kClasses; ++c) {
    int64_t k = 0;
    for (size_t i = c * kBins / kClasses; i < (c + 1) * kBins / kClasses; ++i) k += bins_[i];
    sum += (static_cast<double>(k) - due) * (static_cast<double>(k) - due) / due;
  }
  return count_ > 0 ? stats::gamma_tails(static_cast<double>(kClasses - 1) / 2, sum / 2).upper : std::nan("");
}

void ValueHistogram::judge(double margin, AuditFinding* out) const {
  const double n = static_cast<double>(count_), reach = reach_of(n, kLevel), beyond = distance() - margin;
  out->n = n;
  out->effect = distance();
  out->lower = std::max(0.0, out->effect - reach);
  out->upper = std::min(1.0, out->effect + reach + 1 / static_cast<double>(kBins));
  out->margin = margin;
  out->p = beyond > 0 ? std::min(1.0, 2 * math::exp(-2 * n * beyond * beyond)) : 1;
  out->detectable = margin + reach + reach_of(n, 2 * (1 - kPower));
  const double factor = std::sqrt(math::log(2 / kLevel) / 2) + std::sqrt(math::log(1 / (1 - kPower)) / 2);
  if (beyond != 0) out->n_needed = stats::whole_need(factor * factor / (beyond * beyond));
  out->status = out->lower > margin ? FindingStatus::kFail : out->upper < margin ? FindingStatus::kPass : FindingStatus::kUndecided;
}

}  // namespace vaa
