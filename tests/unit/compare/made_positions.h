// Evidence by position whose law is known: texts that begin at a position, noise that depends on the position.
#pragma once
#include <functional>

#include "made_evidence.h"

struct PositionLaw {
  std::vector<int> starts = {100};            // each has `questions` of its own
  int questions = 16, tokens = 512;
  vaa::PairKind kind = vaa::PairKind::kForced;  // free ones and rungs end where they part
  double by_question = 0;                     // standard deviation of the logarithm of a question's own factor of sigma
  bool both_lists = true;                     // false: the target lists nothing
  std::function<double(int64_t position)> sigma = [](int64_t) { return 0.05; };
};
inline std::function<double(int64_t)> step_from(int64_t onset, double before, double after) {
  return [=](int64_t position) { return position < onset ? before : after; };
}

// Gaps as those of made_evidence; KL is p (1 - p) x^2 / 2 for a change x of the gap.
inline vaa::TokenEvidence made_positions(const PositionLaw& law, std::mt19937_64& random) {
  vaa::TokenEvidence e;
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> u(0, 1);
  std::exponential_distribution<double> exponential;
  const float none = std::nanf("");
  int question = 0;
  for (const int start : law.starts) {
    for (int q = 0; q < law.questions; ++q) {
      const double factor = std::exp(law.by_question * normal(random));
      vaa::TokenPair pair;
      pair.question = question++;
      pair.kind = law.kind;
      pair.greedy = true;
      pair.start = start;
      pair.reference_tokens = pair.target_tokens = law.tokens;
      pair.first_row = static_cast<int32_t>(e.rows.size());
      for (int t = 0; t < law.tokens && pair.first_divergence < 0; ++t) {
        const double gap = u(random) < 0.75 ? 2 + 4 * exponential(random) : exponential(random), noise = factor * law.sigma(start + t) * normal(random), odds = std::exp(-gap);
        const bool flip = noise > gap;
        e.rows.gap.push_back(static_cast<float>(gap));
        e.rows.target_gap.push_back(law.both_lists ? static_cast<float>(std::fabs(gap - noise)) : none);
        e.rows.reference_logprob.push_back(static_cast<float>(-std::log1p(odds)));
        e.rows.target_logprob.push_back(law.both_lists ? static_cast<float>(-std::log1p(std::exp(noise - gap))) : none);
        e.rows.kl.push_back(law.both_lists ? static_cast<float>(odds / (1 + odds) / (1 + odds) * noise * noise / 2) : none);
        e.rows.kl_rest.push_back(0.01F);
        e.rows.flip.push_back(flip);
        pair.rows += 1;
        if (flip && law.kind != vaa::PairKind::kForced) pair.first_divergence = t;
      }
      e.pairs.push_back(pair);
    }
  }
  e.reference.list_size = e.target.list_size = 20;
  return e;
}
