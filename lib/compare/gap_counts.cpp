#include "compare/gap_counts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/math.h"
#include "stats/distributions.h"

namespace vaa {
namespace {

// The upper bits of a float are a piecewise linear logarithm: 2^23 a power of two.
constexpr int kShift = 23 - 6;
constexpr uint32_t kLeast = std::bit_cast<uint32_t>(0x1p-12f) >> kShift, kMost = std::bit_cast<uint32_t>(0x1p7f) >> kShift;
constexpr size_t kBins = kMost - kLeast + 2;  // 0: below the least

size_t bin_of(double gap) {
  const uint32_t place = std::bit_cast<uint32_t>(static_cast<float>(std::fabs(gap))) >> kShift;
  return place < kLeast ? 0 : std::min<size_t>(kBins - 1, place - kLeast + 1);
}
double middle_of(size_t bin) {
  if (bin == 0) return 0;
  const auto half = uint32_t{1} << (kShift - 1);
  return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>((bin - 1 + kLeast) << kShift) | half));
}

}  // namespace

void GapCounts::add(double gap) {
  if (bins_.empty()) bins_.resize(kBins);
  bins_[bin_of(gap)] += 1;
  tokens_ += 1;
}

void GapCounts::merge(const GapCounts& other) {
  if (other.bins_.empty()) return;
  bins_.resize(kBins);
  for (size_t i = 0; i < kBins; ++i) bins_[i] += other.bins_[i];
  tokens_ += other.tokens_;
}

GapCounts::Expected GapCounts::at(double sigma) const {
  Expected out;
  for (size_t i = 0; i < bins_.size(); ++i) {
    if (bins_[i] == 0) continue;
    const double z = middle_of(i) / sigma, h = stats::normal_tail(z), n = static_cast<double>(bins_[i]);
    out.flips += n * h;
    out.variance += n * h * (1 - h);
    out.slope += n * z * math::exp_minus_half_square(z) * math::exp(-math::kLogSqrt2Pi);
    if (z > 38) break;
  }
  return out;
}

double GapCounts::sigma_for(double flips) const {
  constexpr double kLow = 1e-6, kHigh = 1e4;
  if (tokens_ == 0 || at(kHigh).flips < flips) return std::numeric_limits<double>::infinity();
  if (at(kLow).flips >= flips) return 0;
  double low = kLow, high = kHigh;
  for (int i = 0; i < 50; ++i) {
    const double middle = std::sqrt(low * high);
    (at(middle).flips < flips ? low : high) = middle;
  }
  return high;
}

}  // namespace vaa
