#include "stats/change_point.h"

#include <algorithm>

#include "base/math.h"

namespace vaa::stats {
namespace {

constexpr double kCritical = 7.352;
constexpr double kLogTwo = 0.69314718055994530942;

PositionSum total_of(std::span<const PositionSum> sums) {
  PositionSum all;
  for (const PositionSum& s : sums) all.n += s.n, all.sum += s.sum, all.squares += s.squares;
  return all;
}

}  // namespace

ChangePoint change_point(std::span<const PositionSum> sums, double design) {
  ChangePoint out;
  if (sums.size() < 2) return out;
  const PositionSum all = total_of(sums);
  // Split i begins the second part with sums[i].
  std::vector<double> left(sums.size(), 0.0);
  double n = 0, sum = 0;
  size_t best = 0;
  for (size_t i = 1; i < sums.size(); ++i) {
    n += sums[i - 1].n;
    sum += sums[i - 1].sum;
    left[i] = std::max(0.0, all.squares - sum * sum / n - (all.sum - sum) * (all.sum - sum) / (all.n - n));
    if (best != 0 && left[i] >= left[best]) continue;
    best = i;
    out.before = sum / n;
    out.after = (all.sum - sum) / (all.n - n);
  }
  out.found = true;
  out.at = sums[best].first;
  out.left = left[best];
  const double most = out.left * (1 + kCritical * std::max(1.0, design) / all.n);
  size_t low = best, high = best;
  for (size_t i = 1; i < sums.size(); ++i) {
    if (left[i] <= most) low = std::min(low, i), high = std::max(high, i);
  }
  out.lo = sums[low - 1].last;
  out.hi = sums[high].first;
  return out;
}

double left_by_line(std::span<const PositionSum> sums) {
  double n = 0, x = 0, xx = 0, y = 0, xy = 0, yy = 0;
  for (const PositionSum& s : sums) {
    const double at = math::log(static_cast<double>(std::max<int64_t>(1, s.first))) / kLogTwo;
    n += s.n;
    x += s.n * at;
    xx += s.n * at * at;
    y += s.sum;
    xy += s.sum * at;
    yy += s.squares;
  }
  const double spread = xx - x * x / n, together = xy - x * y / n;
  return yy - y * y / n - (spread > 0 ? together * together / spread : 0);
}

}  // namespace vaa::stats
