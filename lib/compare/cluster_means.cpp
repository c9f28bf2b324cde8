#include "compare/cluster_means.h"

#include <algorithm>

#include "base/exact_sum.h"
#include "base/math.h"
#include "stats/distributions.h"

namespace vaa {
namespace {

Effect student_effect(double value, double error, double df, int64_t n) {
  Effect effect;
  effect.n = n;
  effect.value = value;
  effect.error = error;
  effect.p = error > 0 ? stats::student_two_sided(value / error, df) : value == 0 ? 1 : 0;
  effect.at = [=](double confidence) {
    const double half = error > 0 ? stats::student_upper_quantile((1 - confidence) / 2, df) * error : 0;
    return stats::Interval{value - half, value + half};
  };
  finish_effect(&effect);
  return effect;
}

double freedom(double error_a, int64_t a, double error_b, int64_t b) {
  const double x = error_a * error_a, y = error_b * error_b;
  if (x + y == 0) return static_cast<double>(std::max<int64_t>(1, std::min(a, b) - 1));
  return std::max(1.0, (x + y) * (x + y) / (x * x / static_cast<double>(a - 1) + y * y / static_cast<double>(b - 1)));
}

}  // namespace

ClusterMean mean_of_clusters(std::span<const ClusterSum> clusters) {
  ClusterMean out;
  ExactSum sum, tokens;
  for (const ClusterSum& c : clusters) {
    if (c.n == 0) continue;
    out.clusters += 1;
    sum.add(c.sum);
    tokens.add(c.n);
  }
  out.tokens = tokens.value();
  if (out.clusters == 0) return out;
  out.mean = sum.value() / out.tokens;
  if (out.clusters < 2) return out;
  ExactSum squares;
  for (const ClusterSum& c : clusters) {
    const double rest = c.sum - out.mean * c.n;
    squares.add(rest * rest);
  }
  const auto n = static_cast<double>(out.clusters);
  out.error = std::sqrt(n / (n - 1) * squares.value()) / out.tokens;
  return out;
}

Effect effect_of_mean(const ClusterMean& mean) {
  if (mean.clusters < 2) return {};
  return student_effect(mean.mean, mean.error, static_cast<double>(mean.clusters - 1), mean.clusters);
}

Effect difference_of(const ClusterMean& reference, const ClusterMean& target) {
  if (reference.clusters < 2 || target.clusters < 2) return {};
  return student_effect(target.mean - reference.mean, std::hypot(reference.error, target.error), freedom(reference.error, reference.clusters, target.error, target.clusters), target.clusters);
}

Effect ratio_of(const ClusterMean& reference, const ClusterMean& target) {
  if (reference.clusters < 2 || target.clusters < 2 || !(reference.mean > 0 && target.mean > 0)) return {};
  const double a = reference.error / reference.mean, b = target.error / target.mean;
  return student_effect(math::log(target.mean / reference.mean), std::hypot(a, b), freedom(a, reference.clusters, b, target.clusters), target.clusters);
}

Effect paired_ratio(std::span<const ClusterSum> first, std::span<const ClusterSum> second) {
  const ClusterMean a = mean_of_clusters(first), b = mean_of_clusters(second);
  if (a.clusters < 2 || b.clusters < 2 || !(a.mean > 0 && b.mean > 0)) return {};
  ExactSum squares;
  int64_t n = 0;
  for (size_t c = 0; c < first.size(); ++c) {
    if (first[c].n == 0 && second[c].n == 0) continue;
    const double change = (second[c].sum - b.mean * second[c].n) / (b.tokens * b.mean) - (first[c].sum - a.mean * first[c].n) / (a.tokens * a.mean);
    squares.add(change * change);
    n += 1;
  }
  const double error = std::sqrt(static_cast<double>(n) / static_cast<double>(n - 1) * squares.value());
  return student_effect(math::log(b.mean / a.mean), error, freedom(a.error / a.mean, a.clusters, b.error / b.mean, b.clusters), b.clusters);
}

}  // namespace vaa
