#include "compare/subject_effect.h"

#include <algorithm>
#include <map>
#include <vector>

#include "base/math.h"
#include "stats/distributions.h"
#include "stats/means.h"

namespace vaa {

Effect effect_of_subjects(std::span<const double> reference, std::span<const double> target, std::span<const int32_t> subjects) {
  std::map<int32_t, std::vector<double>> differences;
  for (size_t i = 0; i < subjects.size(); ++i) differences[subjects[i]].push_back(target[i] - reference[i]);
  const auto number = static_cast<double>(differences.size());
  const auto most = [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); };
  if (differences.empty() || std::max_element(differences.begin(), differences.end(), most)->second.size() < 2) return effect_of_means(reference, target);
  std::vector<stats::Mean> means;
  double pooled = 0, pooled_df = 0, squares = 0, spread = 0, alone = 0;  // sums over subjects of more than one question; `alone`: how many have one
  for (const auto& [subject, d] : differences) {
    means.push_back(stats::mean_of(d));
    if (d.size() == 1) {
      alone += 1;
      continue;
    }
    const double squared = means.back().standard_error * means.back().standard_error, df = static_cast<double>(d.size() - 1);
    pooled += squared * static_cast<double>(d.size()) * df;
    pooled_df += df;
    squares += squared;
    spread += squared * squared / df;
  }
  const double single = alone * pooled / pooled_df;  // the squared errors of subjects of one question together
  for (stats::Mean& m : means) {
    if (m.n == 1) m.standard_error = std::sqrt(pooled / pooled_df);
  }
  const stats::Mean mean = stats::mean_of_subjects(means);
  Effect effect;
  effect.n = static_cast<int64_t>(subjects.size());
  effect.value = mean.mean;
  effect.error = mean.standard_error;
  if (effect.error > 0) {
    const double df = std::max(1.0, (squares + single) * (squares + single) / (spread + single * single / pooled_df)), value = effect.value, error = effect.error;
    effect.p = stats::student_two_sided(value / error, df);
    effect.at = [=](double confidence) {
      const double half = stats::student_upper_quantile((1 - confidence) / 2, df) * error;
      return stats::Interval{value - half, value + half};
    };
  } else {
    const double value = effect.value, least = number * static_cast<double>(std::min_element(differences.begin(), differences.end(), most)->second.size());
    effect.p = value == 0 ? 1 : 0;
    effect.at = [=](double confidence) {
      const double half = -math::log1p(-confidence) / least;
      return stats::Interval{value - half, value + half};
    };
  }
  const stats::Interval shown = effect.at(0.95);
  effect.lower = shown.low;
  effect.upper = shown.high;
  effect.shown_p = effect.p;
  return effect;
}

}  // namespace vaa
