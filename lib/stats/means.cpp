#include "stats/means.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/double_double.h"
#include "base/exact_sum.h"
#include "stats/arguments.h"
#include "stats/distributions.h"

namespace vaa::stats {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

ExactMoments moments_of(std::span<const double> values) {
  ExactMoments moments;
  for (const double value : values) moments.add(value);
  return moments;
}

void add_product(ExactSum* sum, double a, double b) {
  const DoubleDouble product = two_product(a, b);
  sum->add(product.high);
  sum->add(product.low);
}

std::vector<double> differences_of(const char* function, std::span<const double> reference, std::span<const double> target) {
  check_same_size(function, "target", target.size(), reference.size());
  check_values(function, "reference", reference);
  check_values(function, "target", target);
  std::vector<double> differences(reference.size());
  for (size_t i = 0; i < differences.size(); ++i) differences[i] = target[i] - reference[i];
  return differences;
}

double correlation_of(std::span<const double> x, std::span<const double> y) {
  const double mean_x = moments_of(x).mean(), mean_y = moments_of(y).mean();
  ExactSum xx, yy, xy;
  for (size_t i = 0; i < x.size(); ++i) {
    const double dx = x[i] - mean_x, dy = y[i] - mean_y;
    add_product(&xx, dx, dx);
    add_product(&yy, dy, dy);
    add_product(&xy, dx, dy);
  }
  const double spread = std::sqrt(xx.value()) * std::sqrt(yy.value());
  return spread > 0 ? std::min(1.0, std::max(-1.0, xy.value() / spread)) : kNan;
}

// (value - at) / standard_error, where that is 0 too.
double studentised(double value, double at, double standard_error) {
  const double distance = value - at;
  if (standard_error == 0) return distance == 0 ? 0 : distance > 0 ? kInfinity : -kInfinity;
  return distance / standard_error;
}

// P(T > t) for any t but NaN.
double tail_of(double t, double df) {
  if (std::isinf(t)) return t > 0 ? 0 : 1;
  return student_tail(t, df);
}

}  // namespace

Mean mean_of(std::span<const double> values) {
  check_values("mean_of", "values", values);
  const ExactMoments moments = moments_of(values);
  return {moments.count(), moments.mean(), moments.standard_error()};
}

Mean root_mean_square(std::span<const double> values) {
  check_values("root_mean_square", "values", values, 1e70);
  ExactMoments squares;
  for (const double value : values) squares.add(value * value);
  const double root = std::sqrt(squares.mean());
  return {squares.count(), root, root == 0 && squares.count() > 1 ? 0 : squares.standard_error() / (2 * root)};
}

Mean mean_of_hits(int64_t k, int64_t n) {
  check_count("mean_of_hits", "n", n);
  check_count("mean_of_hits", "k", k, 0, n);
  if (n == 0) return {0, kNan, kNan};
  const double hits = static_cast<double>(k), all = static_cast<double>(n);
  return {n, hits / all, n < 2 ? kNan : std::sqrt(hits / all * (all - hits) / (all - 1) / all)};
}

Mean mean_clustered(std::span<const double> values, std::span<const int64_t> clusters) {
  check_values("mean_clustered", "values", values);
  check_same_size("mean_clustered", "clusters", clusters.size(), values.size());
  const ExactMoments moments = moments_of(values);
  const double n = static_cast<double>(moments.count());
  Mean result = {moments.count(), moments.mean(), moments.standard_error()};
  if (result.n < 2) return result;
  std::vector<std::pair<int64_t, double>> items(values.size());
  for (size_t i = 0; i < items.size(); ++i) items[i] = {clusters[i], values[i] - result.mean};
  std::sort(items.begin(), items.end());
  // Over the pairs i != j of one cluster, the sum of r_i r_j is (sum r)^2 - sum r^2.
  ExactSum pairs;
  for (size_t begin = 0, end = 0; begin < items.size(); begin = end) {
    ExactSum cluster;
    for (; end < items.size() && items[end].first == items[begin].first; ++end) {
      cluster.add(items[end].second);
      add_product(&pairs, -items[end].second, items[end].second);
    }
    const double sum = cluster.value();
    add_product(&pairs, sum, sum);
  }
  const double independent = result.standard_error * result.standard_error;
  result.standard_error = std::sqrt(std::max(0.0, independent + pairs.value() / n / n));
  return result;
}

Mean mean_of_subjects(std::span<const Mean> subjects) {
  ExactSum means, squares;
  for (const Mean& subject : subjects) {
    means.add(subject.mean);
    squares.add(subject.standard_error * subject.standard_error);
  }
  const double n = static_cast<double>(subjects.size());
  if (subjects.empty()) return {0, kNan, kNan};
  return {static_cast<int64_t>(subjects.size()), means.value() / n, std::sqrt(squares.value()) / n};
}

PairedMean paired_mean(std::span<const double> reference, std::span<const double> target, double confidence) {
  const std::vector<double> differences = differences_of("paired_mean", reference, target);
  check_open_share("paired_mean", "confidence", confidence);
  PairedMean result;
  result.difference = mean_of(differences);
  result.correlation = correlation_of(reference, target);
  result.interval = {-kInfinity, kInfinity};
  const double mean = result.difference.mean, error = result.difference.standard_error;
  if (result.difference.n < 2) {
    result.t = kNan;
    return result;
  }
  result.df = static_cast<double>(result.difference.n - 1);
  result.t = studentised(mean, 0, error);
  result.p_t = 2 * tail_of(std::fabs(result.t), result.df);
  result.p_z = normal_two_sided(result.t);
  const double reach = student_upper_quantile(0.5 * (1 - confidence), result.df) * error;
  result.interval = {mean - reach, mean + reach};
  return result;
}

Mean paired_mean_clustered(std::span<const double> reference, std::span<const double> target, std::span<const int64_t> clusters) {
  return mean_clustered(differences_of("paired_mean_clustered", reference, target), clusters);
}

Equivalence equivalence(std::span<const double> differences, double margin) {
  check_values("equivalence", "differences", differences);
  check_some("equivalence", "differences", differences.size(), 2);
  check_positive("equivalence", "margin", margin);
  Equivalence result;
  result.difference = mean_of(differences);
  const double mean = result.difference.mean, error = result.difference.standard_error;
  const double df = static_cast<double>(result.difference.n - 1);
  result.p_lower = tail_of(studentised(mean, -margin, error), df);
  result.p_upper = tail_of(-studentised(mean, margin, error), df);
  result.p = std::max(result.p_lower, result.p_upper);
  const double reach = student_upper_quantile(0.05, df) * error;
  result.interval = {mean - reach, mean + reach};
  return result;
}

}  // namespace vaa::stats
