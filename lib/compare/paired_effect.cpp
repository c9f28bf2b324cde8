#include "compare/paired_effect.h"

#include <algorithm>
#include <vector>

#include "base/math.h"
#include "stats/distributions.h"
#include "stats/exact_tests.h"
#include "stats/means.h"

namespace vaa {
namespace {

constexpr double kConfidence = 0.95;
constexpr double kSurest = 1 - 1e-14;  // no interval is asked for beyond

void close(Effect* effect) {
  const stats::Interval i = effect->at(kConfidence);
  effect->lower = i.low;
  effect->upper = i.high;
  if (std::isnan(effect->shown_p)) effect->shown_p = effect->p;
}

// The largest confidence at which `lies` holds, which it does for all smaller ones.
double p_where(const Effect& effect, const std::function<bool(const stats::Interval&)>& lies) {
  if (!effect.known() || !lies(effect.at(1e-9))) return 1;
  if (lies(effect.at(kSurest))) return 1 - kSurest;
  double low = 1 - kSurest, high = 1 - 1e-9;  // of the level, which is halved on a logarithmic scale: small ones matter
  for (int i = 0; i < 60; ++i) {
    const double middle = std::sqrt(low * high);
    (lies(effect.at(1 - middle)) ? high : low) = middle;
  }
  return high;
}

EffectiveRate shrunk(const ClusteredRate& rate) {
  const auto k = static_cast<double>(rate.k), n = static_cast<double>(rate.n);
  return {k / n, k / rate.design, n / rate.design};
}
// In whole answers.
int64_t answers(const EffectiveRate& rate) { return std::max<int64_t>(1, std::llround(rate.n)); }
int64_t hits(const EffectiveRate& rate) { return std::min<int64_t>(std::llround(rate.k), answers(rate)); }

}  // namespace

Effect effect_of_means(std::span<const double> reference, std::span<const double> target) {
  Effect effect;
  effect.n = static_cast<int64_t>(reference.size());
  if (effect.n < 2) return effect;
  const stats::PairedMean mean = stats::paired_mean(reference, target, kConfidence);
  const double value = mean.difference.mean, error = mean.difference.standard_error, df = mean.df;
  effect.value = value;
  effect.error = error;
  if (error > 0) {
    effect.p = mean.p_t;
    effect.at = [=](double confidence) {
      const double half = stats::student_upper_quantile((1 - confidence) / 2, df) * error;
      return stats::Interval{value - half, value + half};
    };
  } else {
    effect.p = value == 0 ? 1 : 0;
    const auto n = static_cast<double>(effect.n);
    effect.at = [=](double confidence) {
      const double half = -math::log1p(-confidence) / n;
      return stats::Interval{value - half, value + half};
    };
  }
  close(&effect);
  return effect;
}

Effect effect_of_pairs(int64_t both, int64_t only_reference, int64_t only_target, int64_t neither) {
  Effect effect;
  effect.n = both + only_reference + only_target + neither;
  if (effect.n == 0) return effect;
  const stats::PairedDifference d = stats::paired_difference(both, only_target, only_reference, neither, kConfidence);
  effect.value = d.difference;
  effect.error = d.standard_error;
  effect.p = stats::mcnemar_exact(only_target, only_reference);
  effect.shown_p = stats::mcnemar_mid_p(only_target, only_reference);
  effect.at = [=](double confidence) { return stats::paired_difference(both, only_target, only_reference, neither, confidence).interval; };
  close(&effect);
  return effect;
}

ClusteredRate clustered_rate(std::span<const double> values, std::span<const int64_t> questions) {
  ClusteredRate rate;
  rate.n = static_cast<int64_t>(values.size());
  for (const double v : values) rate.k += v != 0;
  if (std::all_of(questions.begin(), questions.end(), [&](int64_t q) { return q == questions.front(); })) {
    rate.design = static_cast<double>(std::max<int64_t>(1, rate.n));  // repeats of one question say no more than one answer
    return rate;
  }
  if (rate.k == 0 || rate.k == rate.n) return rate;
  const double clustered = stats::mean_clustered(values, questions).standard_error, plain = stats::mean_of(values).standard_error;
  rate.design = std::max(1.0, clustered * clustered / (plain * plain));
  return rate;
}

void count_repeats_once(int64_t distinct, ClusteredRate* rate) {
  if (distinct > 0 && (rate->k == 0 || rate->k == rate->n)) rate->design = std::max(rate->design, static_cast<double>(rate->n) / static_cast<double>(distinct));
}

Effect effect_of_rates(const EffectiveRate& reference, const EffectiveRate& target) {
  Effect effect;
  const int64_t nr = answers(reference), nt = answers(target), kr = hits(reference), kt = hits(target);
  effect.n = nt;
  effect.value = target.rate - reference.rate;
  effect.error = std::sqrt(reference.rate * (1 - reference.rate) / static_cast<double>(nr) + target.rate * (1 - target.rate) / static_cast<double>(nt));
  effect.p = stats::fisher_exact(kt, nt - kt, kr, nr - kr);
  effect.at = [=](double confidence) { return stats::rate_difference(kt, nt, kr, nr, confidence); };
  close(&effect);
  return effect;
}

Effect effect_of_rates(const ClusteredRate& reference, const ClusteredRate& target) {
  Effect effect;
  if (reference.n > 0 && target.n > 0) effect = effect_of_rates(shrunk(reference), shrunk(target));
  effect.n = target.n;
  return effect;
}

Effect effect_of_share(const ClusteredRate& rate) {
  Effect effect;
  effect.n = rate.n;
  if (rate.n == 0) return effect;
  const EffectiveRate share = shrunk(rate);
  const int64_t n = answers(share), k = hits(share);
  effect.value = share.rate;
  effect.error = std::sqrt(effect.value * (1 - effect.value) / static_cast<double>(n));
  effect.p = stats::mcnemar_exact(k, 0);
  effect.at = [=](double confidence) { return stats::clopper_pearson(k, n, confidence); };
  close(&effect);
  return effect;
}

double p_above(const Effect& effect, double margin) {
  return p_where(effect, [=](const stats::Interval& i) { return i.low > margin; });
}
double p_below(const Effect& effect, double margin) {
  return p_where(effect, [=](const stats::Interval& i) { return i.high < -margin; });
}

double detectable_effect(const Effect& effect) {
  // Where nothing differs, or next to nothing, the error is 0 and the interval alone says what would have been seen.
  return std::max((stats::normal_quantile(0.975) + stats::normal_quantile(0.8)) * effect.error, (effect.upper - effect.lower) / 2);
}

}  // namespace vaa
