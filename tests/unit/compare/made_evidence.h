// Token evidence whose law is known: gaps of a shape, noise of a scale.
#pragma once
#include <random>

#include "catch.h"
#include "compare/noise_profile.h"
#include "compare/step.h"
#include "compare/swing_rule.h"

struct NoiseLaw {
  int questions = 64, repeats = 1, tokens = 512;
  double sigma = 0.05;
  double by_question = 0;   // standard deviation of the logarithm of a question's own factor of sigma
  bool lists = true;        // false: ids alone
  double wrong = 0;         // chance of a token to be wrong whatever the gap, by a swing of 4 nats
  int start = 100;
};

// 75 % of the gaps are 2 nats and an exponential of mean 4, 25 % an exponential of mean 1; a token flips where Gaussian noise is above its gap. Repeats have the gaps of their question.
inline vaa::TokenEvidence made_evidence(const NoiseLaw& law, std::mt19937_64& random) {
  vaa::TokenEvidence e;
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> u(0, 1);
  std::exponential_distribution<double> exponential;
  const float none = std::nanf("");
  for (int q = 0; q < law.questions; ++q) {
    std::vector<double> gaps(static_cast<size_t>(law.tokens));
    for (double& gap : gaps) gap = u(random) < 0.75 ? 2 + 4 * exponential(random) : exponential(random);
    const double sigma = law.sigma * std::exp(law.by_question * normal(random));
    for (int r = 0; r < law.repeats; ++r) {
      vaa::TokenPair pair;
      pair.question = q;
      pair.greedy = true;
      pair.start = law.start;
      pair.reference_tokens = pair.target_tokens = law.tokens;
      pair.first_row = static_cast<int32_t>(e.rows.size());
      for (int t = 0; t < law.tokens && pair.first_divergence < 0; ++t) {
        const double gap = gaps[static_cast<size_t>(t)], noise = sigma * normal(random);
        const bool wrong = law.wrong > 0 && u(random) < law.wrong, flip = wrong || noise > gap;
        e.rows.gap.push_back(law.lists ? static_cast<float>(gap) : none);
        e.rows.target_gap.push_back(law.lists ? static_cast<float>(flip ? std::fabs(noise - gap) : std::fabs(gap - noise)) : none);
        e.rows.reference_logprob.push_back(law.lists ? -0.1F : none);
        e.rows.target_logprob.push_back(law.lists ? static_cast<float>(-0.1 + 0.1 * noise) : none);
        e.rows.kl.push_back(law.lists ? static_cast<float>(noise * noise) : none);
        e.rows.kl_rest.push_back(law.lists ? 0.01F : none);
        e.rows.flip.push_back(flip);
        pair.rows += 1;
        if (!flip) continue;
        pair.first_divergence = t;
        pair.has_swing = law.lists;
        pair.swing.reference_gap = gap;
        pair.swing.target_gap = (wrong ? 4 : noise) - gap;
        pair.swing.swing = wrong ? 4 : noise;
      }
      e.pairs.push_back(pair);
    }
  }
  e.reference.list_size = e.target.list_size = law.lists ? 20 : 0;
  return e;
}

struct Sides {
  vaa::Checker checker{"{}", nullptr};
  vaa::RunSide reference{checker}, target{checker};
  vaa::RunPairing pairing;
};

inline vaa::NoiseProfile noise_of(const vaa::TokenEvidence& e) {
  const Sides sides;
  return vaa::measure_noise(e, sides.reference, sides.target);
}

inline vaa::StepResult run_step(const std::string& name, const vaa::TokenEvidence* tokens, const vaa::NoiseProfile* noise, const std::string& change = "none", const vaa::NoiseProfile* target_noise = nullptr) {
  const Sides sides;
  const vaa::ComparisonView view{sides.reference, sides.target, sides.pairing, vaa::find_margins(change), -1, -1, true, tokens, noise, target_noise};
  for (const vaa::Step* step : vaa::step_table()) {
    if (name == step->name) return step->run(view);
  }
  FAIL("no step " << name);
  return {};
}
