#include "sampler/calibration/draw_values.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "base/random.h"
#include "stats/goodness.h"
#include "stats/tails.h"

namespace vaa::sampler {
namespace {

constexpr double kSure = 0.99, kLast = 0.99, kLevel = 0.05;
constexpr size_t kClasses = 20;

}  // namespace

std::vector<double> draw_values(const TemperatureFit& fit, double temperature, uint64_t seed) {
  std::vector<double> values;
  Random random(seed);
  for (size_t i = 0; i < fit.size(); ++i) {
    double mass = 0, before = 0, own = 0, greatest = 0;
    const auto gaps = fit.gaps(i);
    for (size_t k = 0; k < gaps.size(); ++k) {
      const double weight = math::exp(gaps[k] / temperature);
      if (k < fit.chosen(i)) before += weight;
      if (k == fit.chosen(i)) own = weight;
      mass += weight, greatest = std::max(greatest, weight);
    }
    if (greatest < kSure * mass) values.push_back(std::min(1.0, (before + random.uniform() * own) / mass));
  }
  return values;
}

double Uniformity::p_beyond(double margin) const {
  const double beyond = distance - margin;
  return beyond > 0 ? std::min(1.0, 2 * math::exp(-2 * worth * beyond * beyond)) : 1;
}

double p_apart(std::vector<double> first, double first_alike, std::vector<double> second, double second_alike) {
  if (first.empty() || second.empty()) return 1;
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  const auto n = static_cast<double>(first.size()), m = static_cast<double>(second.size());
  double distance = 0;
  for (size_t i = 0, j = 0; i < first.size() && j < second.size();) {
    const double at = std::min(first[i], second[j]);
    while (i < first.size() && first[i] <= at) ++i;
    while (j < second.size() && second[j] <= at) ++j;
    distance = std::max(distance, std::fabs(static_cast<double>(i) / n - static_cast<double>(j) / m));
  }
  const double reach = distance / (std::sqrt(first_alike / n) + std::sqrt(second_alike / m));  // shared so that both bounds are the same
  return std::min(1.0, 4 * math::exp(-2 * reach * reach));
}

Uniformity uniformity(std::vector<double> values, double alike) {
  Uniformity out;
  out.n = static_cast<int64_t>(values.size());
  if (values.empty()) return out;
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  out.worth = n / alike;
  std::vector<int64_t> classes(kClasses);
  for (size_t i = 0; i < values.size(); ++i) {
    const auto at = static_cast<double>(i);
    out.distance = std::max({out.distance, (at + 1) / n - values[i], values[i] - at / n});
    out.tail += values[i] > kLast;
    classes[std::min(kClasses - 1, static_cast<size_t>(values[i] * static_cast<double>(kClasses)))] += 1;
  }
  out.reach = std::sqrt(math::log(2 / kLevel) / (2 * out.worth));
  const stats::Goodness fit = stats::pearson(classes, std::vector<double>(kClasses, 1 / static_cast<double>(kClasses)));
  out.p_chi_square = stats::gamma_tails(static_cast<double>(fit.freedom) / 2, fit.chi2 / alike / 2).upper;
  return out;
}

}  // namespace vaa::sampler
