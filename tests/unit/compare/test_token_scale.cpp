#include <cmath>

#include "compare/log_ratio.h"
#include "compare/token_scale.h"
#include "made_evidence.h"
#include "stats/flip_test.h"
#include "stats/survival.h"

using namespace vaa;

namespace {

int count_of(int runs, const NoiseLaw& reference, const NoiseLaw& target, const std::function<bool(const TokenEvidence& self, const TokenEvidence& pair)>& holds) {
  std::mt19937_64 random(11);
  int n = 0;
  for (int i = 0; i < runs; ++i) {
    const TokenEvidence pair = made_evidence(target, random), self = made_evidence(reference, random);
    n += holds(self, pair);
  }
  return n;
}
NoiseLaw of_sigma(double sigma, int questions = 64, int repeats = 1, double by_question = 0) {
  NoiseLaw law;
  law.sigma = sigma;
  law.questions = questions;
  law.repeats = repeats;
  law.by_question = by_question;
  return law;
}

}  // namespace

TEST_CASE("token scale: the sigma of all gaps at once, far ones left out for speed alone", "[compare]") {
  std::mt19937_64 random(3);
  const TokenEvidence e = made_evidence({}, random);
  const std::vector<double> gaps(e.rows.gap.begin(), e.rows.gap.end());
  const TokenScale scale = token_scale(e);
  const stats::NoiseScale whole = stats::flip_sigma(gaps, e.rows.flip, 0.999);
  CHECK(scale.sigma == Approx(whole.sigma).epsilon(1e-9));
  CHECK(scale.sure.low == Approx(whole.interval.low).epsilon(1e-9));
  CHECK(scale.sure.high == Approx(whole.interval.high).epsilon(1e-9));
  CHECK(scale.tokens == static_cast<int64_t>(gaps.size()));
  CHECK(scale.questions == 64);
}

TEST_CASE("token scale: slope and information are the derivatives by log sigma", "[compare]") {
  const std::vector<double> gaps = {0.01, 0.2, 0.06, 0, 0.4};
  const std::vector<uint8_t> flips = {1, 0, 1, 1, 0};
  const double sigma = 0.1, h = 1e-4;
  const auto value = [&](double log_sigma) { return stats::flip_log_likelihood(gaps, flips, std::exp(log_sigma)); };
  const double at = std::log(sigma);
  const stats::SigmaScore score = stats::flip_sigma_score(gaps, flips, sigma);
  CHECK(score.slope == Approx((value(at + h) - value(at - h)) / (2 * h)).epsilon(1e-6));
  CHECK(score.information == Approx(-(value(at + h) - 2 * value(at) + value(at - h)) / (h * h)).epsilon(1e-5));
}

TEST_CASE("token scale: repeats of a question that say the same again do not make it surer", "[compare]") {
  std::mt19937_64 random(5);
  const TokenEvidence once = made_evidence({}, random);
  TokenEvidence twice = once;
  twice.pairs.insert(twice.pairs.end(), once.pairs.begin(), once.pairs.end());  // the same rows, the same questions
  const TokenScale a = token_scale(once), b = token_scale(twice);
  CHECK(b.sigma == Approx(a.sigma));
  CHECK(b.flips == 2 * a.flips);
  CHECK(b.error > 0.85 * a.error);  // the likelihood alone would say 0.71 of it
}

TEST_CASE("token scale: teacher-forced, sampled and other prompts are not in it", "[compare]") {
  std::mt19937_64 random(5);
  TokenEvidence e = made_evidence({}, random);
  const int64_t all = token_scale(e).tokens;
  e.pairs[0].kind = PairKind::kForced;
  e.pairs[1].greedy = false;
  CHECK(token_scale(e).tokens == all - e.pairs[0].rows - e.pairs[1].rows);
  CHECK(std::isnan(token_scale({}).sigma));
}

TEST_CASE("scale ratio: two logarithms and Student's law with the freedom of Welch and Satterthwaite", "[compare]") {
  TokenScale a, b;
  a.sigma = 0.05, a.error = 0.1, a.flips = 50, a.tokens = 9000, a.questions = 21;
  b.sigma = 0.1, b.error = 0.2, b.flips = 60, b.tokens = 8000, b.questions = 11;
  const Effect e = scale_ratio(a, b);
  // df = 0.05^2 / (0.01^2 / 20 + 0.04^2 / 10) = 15.1515…; quantile and tail of Student's law by numerical integration of its density
  CHECK(e.value == Approx(std::log(2.0)));
  CHECK(e.upper - e.value == Approx(2.1295946192 * std::sqrt(0.05)).epsilon(1e-8));
  CHECK(e.p == Approx(0.0072486604).epsilon(1e-6));
}

TEST_CASE("scale ratio: few flips leave the sure interval, and no ratio where nothing flipped", "[compare]") {
  TokenScale a, b;
  a.sigma = 0, a.flips = 0, a.tokens = 9000, a.questions = 20, a.sure = {0, 0.01};
  b.sigma = 0.1, b.error = 0.1, b.flips = 60, b.tokens = 8000, b.questions = 100;
  const Effect e = scale_ratio(a, b);
  CHECK(std::isinf(e.value));
  CHECK(e.lower > std::log(0.1 / 0.01) - 2.1 * 0.1);  // 95 % and what the sure interval may miss: a little wider than 1.984 errors
  CHECK(e.lower < std::log(0.1 / 0.01) - 1.984 * 0.1);
  CHECK(std::isinf(e.upper));
  CHECK(e.p < 0.01);
  b.flips = 0;
  CHECK_FALSE(scale_ratio(a, b).known());
}

TEST_CASE("noise of the reference's own size: at most a few false alarms, and the interval holds 1", "[compare][simulation]") {
  // 100 runs: P(Bin(100, 0.05) > 12) = 0.15 %
  int wide = 0;
  const int alarms = count_of(100, of_sigma(0.05), of_sigma(0.05), [&](const TokenEvidence& self, const TokenEvidence& pair) {
    const Effect e = scale_ratio(token_scale(self), token_scale(pair));
    wide += p_above(e, std::log(1.25)) < 0.05;
    return e.p < 0.05;
  });
  CHECK(alarms <= 12);
  CHECK(wide <= 2);
}

TEST_CASE("noise that differs by question, with repeats: false alarms stay few", "[compare][simulation]") {
  const int alarms = count_of(60, of_sigma(0.05, 32, 4, 0.5), of_sigma(0.05, 32, 4, 0.5), [](const TokenEvidence& self, const TokenEvidence& pair) { return scale_ratio(token_scale(self), token_scale(pair)).p < 0.05; });
  CHECK(alarms <= 9);  // P(Bin(60, 0.05) > 9) = 0.08 %
}

TEST_CASE("noise twice as large, 64 prompts of 512 tokens: the flip test sees it always, log-rank nearly so", "[compare][simulation]") {
  int ranked = 0, ratio = 0;
  const int flips = count_of(40, of_sigma(0.05), of_sigma(0.1), [&](const TokenEvidence& self, const TokenEvidence& pair) {
    const Divergences a = divergences_of(self, Draws::kGreedy), b = divergences_of(pair, Draws::kGreedy);
    ranked += stats::log_rank({b.entries, b.exits, b.events}, {a.entries, a.exits, a.events}).p < 0.05;
    ratio += scale_ratio(token_scale(self), token_scale(pair)).p < 0.05;
    return flips_expected(pair, 0.05).p_two_sided < 0.05;
  });
  // Simulated elsewhere: 100 % where sigma is known, 95 % by log-rank. P(Bin(40, 0.95) < 33) = 0.3 %
  CHECK(flips == 40);
  CHECK(ratio >= 38);
  CHECK(ranked >= 33);
}

TEST_CASE("divergences: an answer that ends as its partner goes on is censored: the step of early ends judges it", "[compare]") {
  TokenEvidence e;
  TokenPair p;
  p.greedy = true;
  p.start = 10;
  p.reference_tokens = 20, p.target_tokens = 8;
  p.first_divergence = 8, p.length_only = true;
  e.pairs.push_back(p);
  p.first_divergence = -1, p.length_only = false, p.target_tokens = 20;
  e.pairs.push_back(p);
  p.first_divergence = 0;
  e.pairs.push_back(p);
  const Divergences d = divergences_of(e, Draws::kGreedy);
  CHECK(d.exits == std::vector<double>{18, 30, 11});
  CHECK(d.events == std::vector<uint8_t>{0, 0, 1});
}

TEST_CASE("hazard ratio: of few divergences exact, by the binomial law of all of them", "[compare]") {
  Divergences a, b;
  for (int i = 0; i < 6; ++i) {
    a.entries.push_back(0), a.exits.push_back(100), a.events.push_back(i < 2), a.questions.push_back(i);
    b.entries.push_back(0), b.exits.push_back(50), b.events.push_back(i < 5), b.questions.push_back(i);
  }
  const Effect e = hazard_ratio(a, b);
  CHECK(e.value == Approx(std::log(5.0 / 300 / (2.0 / 600))));
  // Clopper and Pearson of 5 / 7: [0.2904209, 0.9633074] (scipy.stats.beta.ppf), odds times 600 / 300
  CHECK(e.lower == Approx(std::log(0.2904209 / 0.7095791 * 2)).epsilon(1e-5));
  CHECK(e.upper == Approx(std::log(0.9633074 / 0.0366926 * 2)).epsilon(1e-5));
}
