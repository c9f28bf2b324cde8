#include "compare/token_scale.h"

#include <algorithm>

#include "base/math.h"
#include "compare/log_ratio.h"
#include "stats/distributions.h"
#include "stats/flip_test.h"

namespace vaa {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSure = 0.999;
// An agreed gap of this many sigmas adds less than 1e-19 to the log-likelihood: it is left out, and nothing changes but the time.
constexpr double kFarSigmas = 10;
constexpr double kFirstLimit = 0.5;  // nats

struct GapTable {
  std::vector<double> gaps;
  std::vector<uint8_t> flips;
  std::vector<int32_t> questions;  // in order: the pairs of a question stand together
};

GapTable gaps_of(const TokenEvidence& evidence, TokenScale* scale) {
  std::vector<const TokenPair*> pairs;
  for (const TokenPair& pair : evidence.pairs) {
    if (pair.greedy && pair.kind != PairKind::kForced && pair.rows > 0) pairs.push_back(&pair);
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const TokenPair* a, const TokenPair* b) { return a->question < b->question; });
  GapTable table;
  for (const TokenPair* pair : pairs) {
    for (int32_t row = pair->first_row; row < pair->first_row + pair->rows; ++row) {
      const auto i = static_cast<size_t>(row);
      const float gap = evidence.rows.gap[i];
      if (!(gap >= 0) || std::isinf(gap)) continue;
      scale->questions += table.questions.empty() || table.questions.back() != pair->question;
      scale->flips += gap > 0 && evidence.rows.flip[i];
      table.gaps.push_back(gap);
      table.flips.push_back(evidence.rows.flip[i]);
      table.questions.push_back(pair->question);
    }
  }
  scale->tokens = static_cast<int64_t>(table.gaps.size());
  return table;
}

GapTable within(const GapTable& all, double limit) {
  GapTable near;
  for (size_t i = 0; i < all.gaps.size(); ++i) {
    if (all.gaps[i] > limit && !all.flips[i]) continue;
    near.gaps.push_back(all.gaps[i]);
    near.flips.push_back(all.flips[i]);
    near.questions.push_back(all.questions[i]);
  }
  return near;
}

// Leaving a question out moves the estimate by one step of Newton's: no fit a question.
double error_of(const GapTable& table, double sigma) {
  std::vector<stats::SigmaScore> scores;
  double information = 0;
  for (size_t from = 0, to = 0; from < table.gaps.size(); from = to) {
    while (to < table.gaps.size() && table.questions[to] == table.questions[from]) ++to;
    scores.push_back(stats::flip_sigma_score({table.gaps.data() + from, to - from}, {table.flips.data() + from, to - from}, sigma));
    information += scores.back().information;
  }
  std::vector<double> changes;
  for (const stats::SigmaScore& s : scores) {
    if (!(information - s.information > 0)) return kInfinity;
    changes.push_back(-s.slope / (information - s.information));
  }
  return std::max(1 / std::sqrt(information), jackknife_error(changes));
}

double log_of(double x) { return std::isinf(x) ? kInfinity : math::log(x); }

bool settled(const TokenScale& s) { return s.flips >= kFewFlips && std::isfinite(s.error); }

// Of log sigma; of few flips the sure one, whatever is asked for.
stats::Interval log_interval(const TokenScale& s, double confidence) {
  if (!settled(s)) return {log_of(s.sure.low), log_of(s.sure.high)};
  const double half = stats::student_upper_quantile((1 - confidence) / 2, static_cast<double>(std::max<int64_t>(1, s.questions - 1))) * s.error;
  return {math::log(s.sigma) - half, math::log(s.sigma) + half};
}

}  // namespace

TokenScale token_scale(const TokenEvidence& evidence) {
  TokenScale scale;
  const GapTable all = gaps_of(evidence, &scale);
  if (all.gaps.empty()) return scale;
  double limit = kFirstLimit;
  for (;; limit *= 4) {
    const GapTable near = within(all, limit);
    const bool whole = near.gaps.size() == all.gaps.size();
    if (near.gaps.empty()) continue;
    const stats::NoiseScale fit = stats::flip_sigma(near.gaps, near.flips, kSure);
    if (!whole && !(kFarSigmas * fit.interval.high <= limit)) continue;
    scale.sigma = fit.sigma;
    scale.sure = fit.interval;
    if (fit.sigma > 0 && std::isfinite(fit.sigma)) scale.error = error_of(near, fit.sigma);
    return scale;
  }
}

stats::HazardTest flips_expected(const TokenEvidence& evidence, double sigma) {
  TokenScale scale;
  const GapTable all = gaps_of(evidence, &scale);
  return stats::flip_test(all.gaps, all.flips, sigma);
}

Effect scale_ratio(const TokenScale& reference, const TokenScale& target) {
  Effect effect;
  effect.n = target.questions;
  if (std::isnan(reference.sigma) || std::isnan(target.sigma) || (reference.flips == 0 && target.flips == 0)) return effect;
  if (settled(reference) && settled(target)) return log_ratio({math::log(reference.sigma), reference.error, reference.questions}, {math::log(target.sigma), target.error, target.questions});
  effect.value = target.sigma == reference.sigma ? 0 : log_of(target.sigma) - log_of(reference.sigma);
  effect.at = [=](double confidence) {
    const double rest = confidence + 2 * (1 - kSure);  // what the two sure intervals may miss is taken off
    if (!(rest < 1)) return stats::Interval{-kInfinity, kInfinity};
    const stats::Interval a = log_interval(reference, kSure), b = log_interval(target, rest);
    return stats::Interval{b.low - a.high, b.high - a.low};
  };
  finish_effect(&effect);
  return effect;
}

}  // namespace vaa
