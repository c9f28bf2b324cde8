// Drift of distributions and noise by position: against formulas, and over evidence whose law is known.
#include <cmath>

#include "base/figures.h"
#include "compare/drift.h"
#include "compare/gap_counts.h"
#include "compare/onset_cause.h"
#include "compare/position_drift.h"
#include "compare/symptoms.h"
#include "made_positions.h"
#include "stats/change_point.h"

namespace vaa {
extern const Step kDriftStep;
}
using namespace vaa;

namespace {

const std::vector<double>& column_of(const StepResult& step, const std::string& table, const std::string& column) {
  for (const NumberTable& t : step.numbers) {
    if (t.name != table) continue;
    for (const auto& [name, values] : t.columns) {
      if (name == column) return values;
    }
  }
  FAIL("no column " << table << "." << column);
  throw 0;
}
PositionLaw rungs(double before, double after) {
  PositionLaw law;
  law.kind = PairKind::kRung, law.starts = {1024, 2048, 4160, 8192}, law.tokens = 32;
  law.sigma = step_from(4096, before, after);
  return law;
}
PositionLaw texts(double sigma, int tokens = 1024) {
  PositionLaw law;
  law.tokens = tokens, law.sigma = [=](int64_t) { return sigma; };
  return law;
}

}  // namespace

TEST_CASE("mean of clusters: a ratio and Cochran's error", "[compare]") {
  const std::vector<ClusterSum> clusters = {{2, 2}, {0, 0}, {4, 8}, {2, 0}};
  const ClusterMean m = mean_of_clusters(clusters);
  // mean 10 / 8; rests 2 - 2.5, 8 - 5, 0 - 2.5: squares 0.25 + 9 + 6.25
  CHECK(m.mean == 1.25);
  CHECK(m.clusters == 3);
  CHECK(m.error == Approx(std::sqrt(1.5 * 15.5) / 8));
  CHECK_FALSE(effect_of_mean(mean_of_clusters(std::vector<ClusterSum>{{4, 1}})).known());
  const std::vector<ClusterSum> twice = {{2, 4}, {0, 0}, {4, 16}, {2, 0}};
  CHECK(paired_ratio(clusters, twice).value == Approx(std::log(2)));
  CHECK(paired_ratio(clusters, twice).error == Approx(0).margin(1e-12));  // what a question has in common cancels
}

TEST_CASE("gap counts: expected flips as by each gap, and the sigma that expects them", "[compare]") {
  std::mt19937_64 random(3);
  std::exponential_distribution<double> exponential;
  GapCounts counts;
  double flips = 0, variance = 0;
  for (int i = 0; i < 5000; ++i) {
    const double gap = exponential(random), h = std::erfc(gap / 0.05 / std::sqrt(2)) / 2;
    counts.add(gap);
    flips += h;
    variance += h * (1 - h);
  }
  CHECK(counts.at(0.05).flips == Approx(flips).epsilon(1e-3));
  CHECK(counts.at(0.05).variance == Approx(variance).epsilon(1e-3));
  CHECK(counts.at(0.05).slope == Approx((counts.at(0.05 * std::exp(1e-4)).flips - counts.at(0.05 * std::exp(-1e-4)).flips) / 2e-4).epsilon(1e-4));
  CHECK(counts.sigma_for(counts.at(0.05).flips) == Approx(0.05).epsilon(1e-6));
  CHECK(std::isinf(counts.sigma_for(2501)));
}

TEST_CASE("change point: the step that leaves the fewest squares, and the interval that grows with the design", "[compare]") {
  std::vector<stats::PositionSum> sums;
  for (int64_t i = 0; i < 100; ++i) {
    const double mean = i < 60 ? 0 : 1;  // two tokens a position, one above and one below by 1
    sums.push_back({i * 10, i * 10 + 5, 2, 2 * mean, (mean + 1) * (mean + 1) + (mean - 1) * (mean - 1)});
  }
  const stats::ChangePoint p = stats::change_point(sums, 1);
  CHECK(p.at == 600);
  CHECK(p.before == 0);
  CHECK(p.after == 1);
  CHECK(p.left == Approx(200));
  // A split k bins off leaves 120 k / (60 + k) or 80 k / (40 + k) squares more of either side's 1: 7.352 are k = 3 (5.7) above, 4 (7.3) below
  CHECK(p.lo == 555);
  CHECK(p.hi == 630);
  const stats::ChangePoint wide = stats::change_point(sums, 4);
  CHECK(wide.lo < p.lo);
  CHECK(wide.hi > p.hi);
  CHECK_FALSE(stats::change_point(std::span(sums).first(1), 1).found);
}

TEST_CASE("count tail: Poisson for a mean that is known, the negative binomial one else", "[compare]") {
  CHECK(count_tail(3, 2, 1e-12) == Approx(1 - std::exp(-2.0) * 5).epsilon(1e-6));
  // mean 2, variance 2 of the mean: shape 2, chance of one more 1/2: P(X >= 2) = 1 - 1/4 - 1/4
  CHECK(count_tail(2, 2, 2) == Approx(0.5));
  CHECK(count_tail(0, 2, 2) == 1);
}

TEST_CASE("drift: means of the columns, quantiles, and the difference to the reference's own", "[compare]") {
  std::mt19937_64 random(5);
  const TokenEvidence self = made_positions(texts(0.05), random), pair = made_positions(texts(0.5), random);
  const NoiseProfile noise = noise_of(self);
  double kl = 0, own = 0;
  for (const float x : pair.rows.kl) kl += static_cast<double>(x);
  for (const float x : self.rows.kl) own += static_cast<double>(x);
  const auto n = static_cast<double>(pair.rows.size());
  const StepResult r = run_step("drift", &pair, &noise);
  CHECK(r.effect == Approx((kl - own) / n));
  CHECK(column_of(r, "drift", "positions")[0] == n);
  CHECK(column_of(r, "drift", "kl_rest")[0] == Approx(0.01));
  CHECK(column_of(r, "drift", "ratio")[0] == Approx(kl / own).epsilon(1e-6));
  CHECK(r.p_beyond < 0.05);  // 100 times as much KL
  CHECK(std::string(r.kind) == "numeric_drift");
  CHECK(r.n == 16);
  const TokenEvidence like = made_positions(texts(0.05), random);
  const StepResult same = run_step("drift", &like, &noise);
  CHECK(same.inside);
  CHECK(same.p_beyond == 1);
}

TEST_CASE("drift: without the reference again it fails only as another model does, and passes only below the margin by itself", "[compare]") {
  std::mt19937_64 random(6);
  const TokenEvidence small = made_positions(texts(0.05), random), middle = made_positions(texts(0.5), random), large = made_positions(texts(3), random);
  CHECK(run_step("drift", &small, nullptr).inside);
  const StepResult open = run_step("drift", &middle, nullptr), bad = run_step("drift", &large, nullptr);
  CHECK_FALSE(open.inside);
  CHECK(open.p_beyond > 0.05);
  CHECK_FALSE(open.needed.en.empty());
  CHECK(bad.p_beyond < 0.05);
  CHECK(std::string(bad.symptom) == "drift_large");
}

TEST_CASE("drift: few survivors never pass", "[compare]") {
  std::mt19937_64 random(7);
  PositionLaw law = texts(0.5, 512);
  law.kind = PairKind::kFree, law.questions = 64;
  TokenEvidence e = made_positions(law, random);
  for (float& kl : e.rows.kl) kl = 0;
  const StepResult r = run_step("drift", &e, nullptr);
  CHECK_FALSE(r.inside);
  CHECK(std::isnan(r.detectable));
  // It says so with both numbers; a pair of 512 tokens could have had that many positions each.
  int64_t seen = 0;
  for (const TokenPair& p : e.pairs) seen += p.rows;
  CHECK(r.words.en.find("; too few survivors: " + grouped(seen) + " of ") != std::string::npos);
  CHECK(r.words.en.find("come before a divergence, 50 % are needed to pass") != std::string::npos);
  CHECK(r.words.zh.find("留存过少") != std::string::npos);
}

TEST_CASE("drift: prefill that is clean where decode drifts, and the reverse", "[compare]") {
  for (const bool decode : {true, false}) {
    std::mt19937_64 random(8);
    TokenEvidence pair = made_positions(texts(decode ? 0.05 : 1), random);
    PositionLaw law = texts(decode ? 1 : 0.05, 64);
    law.kind = PairKind::kRung, law.questions = 64;
    TokenEvidence more = made_positions(law, random);
    for (TokenPair& p : more.pairs) p.first_row += static_cast<int32_t>(pair.rows.size()), p.question += 16;
    if (decode) for (const TokenPair& p : more.pairs) more.rows.kl[static_cast<size_t>(p.first_row) - pair.rows.size()] = 0;
    pair.pairs.insert(pair.pairs.end(), more.pairs.begin(), more.pairs.end());
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    append(pair.rows.gap, more.rows.gap), append(pair.rows.target_gap, more.rows.target_gap), append(pair.rows.kl, more.rows.kl), append(pair.rows.kl_rest, more.rows.kl_rest);
    append(pair.rows.reference_logprob, more.rows.reference_logprob), append(pair.rows.target_logprob, more.rows.target_logprob), append(pair.rows.flip, more.rows.flip);
    const NoiseProfile noise = noise_of(made_positions(texts(0.05), random));
    CHECK(std::string(run_step("drift", &pair, &noise).symptom) == (decode ? "decode_drifts" : "prefill_drifts"));
  }
}

TEST_CASE("position: an onset between two rungs is called with its interval, and a common limit that lies there", "[compare]") {
  std::mt19937_64 random(9);
  const NoiseProfile noise = noise_of(made_positions(rungs(0.05, 0.05), random));
  const TokenEvidence pair = made_positions(rungs(0.05, 0.25), random);
  const StepResult r = run_step("position", &pair, &noise, "version");
  CHECK(r.p_beyond < 0.05);
  CHECK(std::string(r.kind) == "position_dependent_drift");
  CHECK(std::string(r.symptom) == "steps_at_position");
  CHECK(column_of(r, "onset", "after")[0] < 4096);
  CHECK(column_of(r, "onset", "up_to")[0] >= 4096);
  CHECK(r.words.en.find("4,096, a common limit") != std::string::npos);
  CHECK(column_of(r, "positions", "from") == std::vector<double>{1024, 2048, 4096, 8192});
}

TEST_CASE("position: a text that is scored to its end places the onset to a few ids", "[compare]") {
  std::mt19937_64 random(10);
  PositionLaw law = texts(0.05, 2048);
  const NoiseProfile noise = noise_of(made_positions(law, random));
  law.sigma = step_from(1000, 0.05, 0.25);
  const TokenEvidence pair = made_positions(law, random);
  const StepResult r = run_step("position", &pair, &noise, "version");
  CHECK(r.p_beyond < 0.05);
  CHECK(column_of(r, "onset", "after")[0] < 1000);
  CHECK(column_of(r, "onset", "up_to")[0] >= 1000);
  CHECK(column_of(r, "onset", "up_to")[0] - column_of(r, "onset", "after")[0] < 20);
}

TEST_CASE("position: slow growth is called so", "[compare]") {
  std::mt19937_64 random(11);
  PositionLaw law = texts(0.05, 4096);
  law.starts = {16};
  const NoiseProfile noise = noise_of(made_positions(law, random));
  law.sigma = [](int64_t position) { return 0.05 * std::pow(2, std::log2(static_cast<double>(position)) - 4); };
  const TokenEvidence pair = made_positions(law, random);
  const StepResult r = run_step("position", &pair, &noise, "version");
  CHECK(r.p_beyond < 0.05);
  CHECK(std::string(r.symptom) == "grows_with_position");
  CHECK(column_of(r, "growth", "lower")[0] > 0);
}

TEST_CASE("position: flat noise of any size is no onset, and what reaches further is named", "[compare][simulation]") {
  std::mt19937_64 random(12);
  int alarms = 0;
  for (int i = 0; i < 20; ++i) {
    for (const double ratio : {1.0, 1.3, 2.0}) {
      const NoiseProfile noise = noise_of(made_positions(rungs(0.05, 0.05), random));
      const TokenEvidence pair = made_positions(rungs(0.05 * ratio, 0.05 * ratio), random);
      alarms += run_step("position", &pair, &noise, "version").p_beyond < 0.05;
    }
  }
  CHECK(alarms <= 3);  // of 60; none in docs/compare.md
  TokenEvidence e = made_positions(rungs(0.05, 0.05), random);
  for (TokenPair& p : e.pairs) p.reference_tokens = p.target_tokens = 40000;
  std::string command;
  for (const SectionLine& line : run_step("position", &e, nullptr).section.lines) command += line.command;
  CHECK(command.find("vaa ladder") == 0);
  CHECK(command.find("--at 16K,32K") != std::string::npos);
}

TEST_CASE("position: without the reference again nothing passes; unknown starts and missing lists are not applicable", "[compare]") {
  std::mt19937_64 random(13);
  TokenEvidence e = made_positions(rungs(0.05, 0.05), random);
  CHECK_FALSE(run_step("position", &e, nullptr).inside);
  for (TokenPair& p : e.pairs) p.start = -1;
  CHECK_FALSE(run_step("position", &e, nullptr).applies);
  e = made_positions(rungs(0.05, 0.05), random);
  std::fill(e.rows.gap.begin(), e.rows.gap.end(), std::nanf(""));
  CHECK_FALSE(run_step("position", &e, nullptr).applies);
  CHECK_FALSE(run_step("position", nullptr, nullptr).applies);
}

TEST_CASE("drift and position: every symptom has its row", "[compare]") {
  for (const char* name : {"decode_drifts", "prefill_drifts", "drift_small", "drift_large", "steps_at_position", "steps_at_block", "grows_with_position"}) CHECK(find_symptom(name));
}

TEST_CASE("drift: lists of unequal length are not held against each other", "[compare]") {
  std::mt19937_64 random(5);
  NoiseLaw law;
  const TokenEvidence again = made_evidence(law, random);
  TokenEvidence e = made_evidence(law, random);
  e.target.list_size = 2;
  NoiseProfile noise = noise_of(again);
  const Sides sides;
  ComparisonView view{sides.reference, sides.target, sides.pairing, find_margins("version")};
  view.tokens = &e;
  view.noise = &noise;
  CHECK(!kDriftStep.run(view).applies);
  CHECK(kDriftStep.run(view).words.en.find("differ in length (reference 20, target 2, the reference against itself 20)") != std::string::npos);
  e.target.list_size = 20;
  CHECK(kDriftStep.run(view).applies);
  noise.list_size = 1;
  CHECK(!kDriftStep.run(view).applies);
}

TEST_CASE("drift: what sampled answers of one seed draw is not seen by it, so that nothing passes where some part and no second run says how often", "[compare]") {
  std::mt19937_64 random(9);
  PositionLaw law = texts(0.05, 64);
  law.kind = PairKind::kFree, law.questions = 64;
  NoiseProfile noise = noise_of(made_positions(law, random));
  TokenEvidence e = made_positions(law, random);
  for (TokenPair& p : e.pairs) p.greedy = false, p.keyed = true, p.first_divergence = -1;
  CHECK(run_step("drift", &e, &noise).inside);
  e.pairs[3].first_divergence = e.pairs[3].rows - 1;
  const StepResult r = run_step("drift", &e, &noise);
  CHECK_FALSE(r.inside);
  CHECK(std::isnan(r.detectable));
  CHECK(r.words.en.find("sampled answers of one seed part in 1 / 64") != std::string::npos);
  noise.seeded = divergences_of(e, Draws::kKeyed);
  CHECK(run_step("drift", &e, &noise).inside);
}
