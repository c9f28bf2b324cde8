#include <algorithm>
#include <map>

#include "base/math.h"
#include "compare/log_ratio.h"
#include "compare/token_scale.h"

namespace vaa {
namespace {

struct Rate {
  double events = 0, tokens = 0;
  LogEstimate log{0, std::numeric_limits<double>::infinity(), 0};
};

Rate rate_of(const Divergences& d) {
  Rate rate;
  std::map<int32_t, std::pair<double, double>> questions;  // events and tokens
  for (size_t i = 0; i < d.exits.size(); ++i) {
    auto& [events, tokens] = questions[d.questions[i]];
    events += d.events[i];
    tokens += d.exits[i] - d.entries[i];
  }
  for (const auto& [question, own] : questions) {
    rate.events += own.first;
    rate.tokens += own.second;
  }
  rate.log.questions = static_cast<int64_t>(questions.size());
  if (rate.events == 0) return rate;
  rate.log.value = math::log(rate.events / rate.tokens);
  std::vector<double> changes;
  for (const auto& [question, own] : questions) {
    if (rate.events > own.first) changes.push_back(math::log((rate.events - own.first) / (rate.tokens - own.second)) - rate.log.value);
  }
  if (changes.size() == questions.size()) rate.log.error = std::max(1 / std::sqrt(rate.events), jackknife_error(changes));
  return rate;
}

}  // namespace

Divergences divergences_of(const TokenEvidence& evidence, Draws draws) {
  Divergences out;
  for (const TokenPair& pair : evidence.pairs) {
    if (!(draws == Draws::kGreedy ? pair.greedy : pair.keyed) || pair.kind != PairKind::kFree || pair.prompt != PromptClass::kSame) continue;
    const bool event = pair.first_divergence >= 0 && !pair.length_only;
    const int64_t same = pair.first_divergence >= 0 ? pair.first_divergence : std::min(pair.reference_tokens, pair.target_tokens), compared = same + event;
    if (compared <= 0) continue;
    const auto entry = static_cast<double>(std::max<int64_t>(0, pair.start));
    out.entries.push_back(entry);
    out.exits.push_back(entry + static_cast<double>(compared));
    out.events.push_back(event);
    out.questions.push_back(pair.question);
  }
  return out;
}

Effect hazard_ratio(const Divergences& reference, const Divergences& target) {
  const Rate a = rate_of(reference), b = rate_of(target);
  Effect effect;
  effect.n = b.log.questions;
  if (a.tokens == 0 || b.tokens == 0 || a.events + b.events == 0) return effect;
  if (std::min(a.events, b.events) >= static_cast<double>(kFewFlips) && std::isfinite(a.log.error) && std::isfinite(b.log.error)) return log_ratio(a.log, b.log);
  // Of all events the target's are binomial, their share ratio * tokens over the sum of both.
  const auto k = static_cast<int64_t>(b.events), n = static_cast<int64_t>(a.events + b.events);
  const double exposure = a.tokens / b.tokens;
  effect.value = a.events == 0 ? std::numeric_limits<double>::infinity() : math::log(b.events / b.tokens) - math::log(a.events / a.tokens);
  effect.at = [=](double confidence) {
    const stats::Interval share = stats::clopper_pearson(k, n, confidence);
    const auto log_of_odds = [&](double q) { return q >= 1 ? std::numeric_limits<double>::infinity() : math::log(q / (1 - q) * exposure); };
    return stats::Interval{log_of_odds(share.low), log_of_odds(share.high)};
  };
  finish_effect(&effect);
  return effect;
}

}  // namespace vaa
