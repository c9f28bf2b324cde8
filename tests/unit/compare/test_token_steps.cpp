#include <cmath>

#include "compare/symptoms.h"
#include "made_evidence.h"

using namespace vaa;

namespace {

struct Made {
  TokenEvidence pair;
  NoiseProfile self;
};
Made made(const NoiseLaw& target, const NoiseLaw& reference = {}, uint64_t seed = 21) {
  std::mt19937_64 random(seed);
  Made m;
  m.pair = made_evidence(target, random);
  m.self = noise_of(made_evidence(reference, random));
  return m;
}
NoiseLaw law_of(double sigma, int questions = 200, double wrong = 0, bool lists = true) {
  NoiseLaw law;
  law.sigma = sigma, law.questions = questions, law.wrong = wrong, law.lists = lists;
  return law;
}
// A pair that parts at its first or `at`-th token by a swing.
TokenPair parting(int question, double swing, bool bound = false, bool list = true) {
  TokenPair p;
  p.question = question;
  p.greedy = true;
  p.first_divergence = 0;
  p.reference_tokens = p.target_tokens = 5;
  p.has_swing = list;
  p.swing.swing = swing;
  p.swing.is_bound = bound;
  return p;
}

}  // namespace

TEST_CASE("swing rule: exact tie, near tie, suspect, undetermined, no evidence", "[compare]") {
  CHECK(part_kind(parting(0, 0), 0.3) == PartKind::kExactTie);
  CHECK(part_kind(parting(0, 0.3), 0.3) == PartKind::kNearTie);
  CHECK(part_kind(parting(0, 0.31), 0.3) == PartKind::kSuspect);
  CHECK(part_kind(parting(0, 0.31, true), 0.3) == PartKind::kSuspect);  // at least that much
  CHECK(part_kind(parting(0, 0.3, true), 0.3) == PartKind::kUndetermined);
  CHECK(part_kind(parting(0, 0, true), 0.3) == PartKind::kUndetermined);
  CHECK(part_kind(parting(0, 7, false, false), 0.3) == PartKind::kNoEvidence);
  TokenPair nan = parting(0, 7);
  nan.swing_usable = false;
  CHECK(part_kind(nan, 0.3) == PartKind::kNoEvidence);
}

TEST_CASE("tau: of the reference against itself, else the robust spread, no less than two steps of the grid", "[compare]") {
  const Made m = made(law_of(0.05));
  CHECK(choose_tau(m.pair, &m.self).source == TauSource::kSelf);
  CHECK(choose_tau(m.pair, &m.self).value == m.self.tau);
  CHECK(choose_tau(m.pair, &m.self, 1.5).value == 1.5 * m.self.tau);
  const TauChoice spread = choose_tau(m.pair, nullptr);
  CHECK(spread.step == 0);
  CHECK(spread.spread == Approx(4.9 * 0.05).epsilon(0.06));
  CHECK(spread.value == std::max(spread.spread, 0.25));
  const Made loud = made(law_of(0.2));
  CHECK(choose_tau(loud.pair, nullptr).source == TauSource::kSpread);
  TokenEvidence grid = m.pair;
  for (float& gap : grid.rows.gap) gap = std::nearbyint(gap / 0.125F) * 0.125F;
  CHECK(logit_step(grid) == 0.125);
  NoiseProfile same = m.self;
  same.identical = true;
  CHECK(choose_tau(grid, &same).grid == 0.25);
  CHECK(choose_tau(grid, &same).source != TauSource::kSelf);
}

TEST_CASE("flips: the ratio of noise to the reference's own, against the margin of the change", "[compare]") {
  const Made twice = made(law_of(0.1));
  const StepResult loud = run_step("flips", &twice.pair, &twice.self);
  CHECK(loud.effect == Approx(2).epsilon(0.35));
  CHECK(loud.lower < loud.effect);
  CHECK(loud.p < 0.001);
  CHECK(loud.margin == 1.25);
  CHECK(loud.p_beyond < 0.05);
  CHECK(std::string(loud.symptom) == "more_noise");
  CHECK(run_step("flips", &twice.pair, &twice.self, "hardware").p_beyond > 0.05);
  const Made alike = made(law_of(0.05, 400), law_of(0.05, 400));
  const StepResult quiet = run_step("flips", &alike.pair, &alike.self, "version");
  CHECK(quiet.inside);
  CHECK(quiet.p > 0.01);
  const Made few = made(law_of(0.06, 40), law_of(0.05, 40));
  const StepResult open = run_step("flips", &few.pair, &few.self);
  CHECK_FALSE(open.inside);
  // ((z_0.975 + z_0.8) error / log margin)^2 times the questions, the error from the detectable ratio
  CHECK(open.questions_needed == Approx(std::ceil(40 * std::pow(std::log(open.detectable) / std::log(1.25), 2))).margin(1));
}

TEST_CASE("flips: no second run, an identical one and one without gaps gate nothing, and say how to vary it", "[compare]") {
  Made m = made(law_of(0.1));
  const StepResult alone = run_step("flips", &m.pair, nullptr);
  CHECK(alone.applies);
  CHECK(std::isnan(alone.p_beyond));
  CHECK(alone.words.en.find("sigma of the pair 0.") == 0);
  m.self.identical = true;
  const StepResult same = run_step("flips", &m.pair, &m.self);
  CHECK(std::isnan(same.p_beyond));
  CHECK(same.words.en.find("identical, which measures nothing") != std::string::npos);
  CHECK(same.needed.en.find("batch size 1 against many") != std::string::npos);
  const Made ids = made(law_of(0.1), law_of(0.05, 200, 0, false));
  CHECK(std::isnan(run_step("flips", &ids.pair, &ids.self).p_beyond));
}

TEST_CASE("token steps: sampled answers and answers without ids are not applicable, by name", "[compare]") {
  TokenEvidence sampled;
  sampled.sampled = 12;
  for (const char* name : {"flips", "prefill", "first_divergence", "survival"}) {
    CHECK_FALSE(run_step(name, nullptr, nullptr).applies);
    const StepResult r = run_step(name, &sampled, nullptr);
    CHECK_FALSE(r.applies);
    CHECK(r.words.en.find("sampled") == 0);
    CHECK_FALSE(r.words.zh.empty());
  }
}

TEST_CASE("first divergence: swings of no near tie above the reference's own share", "[compare]") {
  const Made bug = made(law_of(0.05, 200, 0.002));
  const StepResult r = run_step("first_divergence", &bug.pair, &bug.self);
  const PartCounts counts = count_parts(bug.pair, find_margins("none").sigma_ratio * bug.self.tau);
  CHECK(r.effect == Approx(static_cast<double>(counts.suspects.k) / static_cast<double>(counts.suspects.n) - static_cast<double>(bug.self.suspects.k) / static_cast<double>(bug.self.suspects.n)));
  CHECK(r.p_beyond < 0.001);
  CHECK(std::string(r.symptom) == "large_swings");
  const Made fine = made(law_of(0.05)), louder = made(law_of(0.07));
  CHECK(run_step("first_divergence", &fine.pair, &fine.self).p_beyond > 0.05);
  CHECK(run_step("first_divergence", &louder.pair, &louder.self, "version").effect < 0.02);  // noise of a size that the margin allows makes no suspects: exp(-(3.29 * 1.5 / 1.4)^2 / 2) = 0.2 % of them
}

TEST_CASE("first divergence: without a second run only many swings of over a nat fail, and nothing passes", "[compare]") {
  const Made bug = made(law_of(0.05, 200, 0.004)), loud = made(law_of(0.15)), fine = made(law_of(0.05));
  const StepResult failing = run_step("first_divergence", &bug.pair, nullptr);
  CHECK(failing.p_beyond < 0.001);
  CHECK(failing.margin == 0.1);
  const StepResult noisy = run_step("first_divergence", &loud.pair, nullptr);
  CHECK(noisy.p_beyond > 0.5);
  CHECK_FALSE(noisy.inside);
  CHECK_FALSE(run_step("first_divergence", &fine.pair, nullptr).inside);
  CHECK(noisy.needed.en.find("--aa RUN") != std::string::npos);
}

TEST_CASE("first divergence: ids alone are no evidence of a fault", "[compare]") {
  const Made m = made(law_of(0.1, 200, 0.01, false), law_of(0.05, 200, 0, false));
  const StepResult r = run_step("first_divergence", &m.pair, &m.self);
  CHECK(r.applies);
  CHECK(std::isnan(r.p_beyond));
}

TEST_CASE("prefill: a wrong first token in a tenth of the answers is found, near ties are not", "[compare]") {
  Made m = made(law_of(0.05), law_of(0.05));
  CHECK(run_step("prefill", &m.pair, &m.self).p_beyond > 0.05);
  for (size_t i = 0; i < m.pair.pairs.size(); i += 10) {
    TokenPair& p = m.pair.pairs[i];
    p.first_divergence = 0;
    p.rows = 1;
    p.has_swing = true;
    p.swing.swing = 4;
    m.pair.rows.flip[static_cast<size_t>(p.first_row)] = 1;
  }
  const StepResult r = run_step("prefill", &m.pair, &m.self);
  CHECK(r.p_beyond < 0.01);
  CHECK(r.effect == Approx(0.1).margin(0.011));
  CHECK(std::string(r.kind) == "prefill_mismatch");
  CHECK(std::string(r.symptom) == "prefill_wrong");
  CHECK(r.n == 200);
}

TEST_CASE("survival: shown beside gaps, a gate for ids alone", "[compare]") {
  const Made lists = made(law_of(0.1)), ids = made(law_of(0.15, 400, 0, false), law_of(0.05, 400, 0, false));
  const StepResult shown = run_step("survival", &lists.pair, &lists.self);
  CHECK(std::isnan(shown.p_beyond));
  CHECK(shown.p < 0.01);
  CHECK(shown.effect > 1.3);
  const StepResult gate = run_step("survival", &ids.pair, &ids.self);
  CHECK(gate.p_beyond < 0.05);
  CHECK(std::string(gate.symptom) == "parts_sooner");
  const Made alike = made(law_of(0.05, 400, 0, false), law_of(0.05, 400, 0, false));
  CHECK(run_step("survival", &alike.pair, &alike.self, "version").inside);
  CHECK(std::isnan(run_step("survival", &ids.pair, nullptr).p_beyond));
}

TEST_CASE("target noise: a target that varies more than the reference does", "[compare]") {
  const Made m = made(law_of(0.05)), loud = made(law_of(0.05), law_of(0.15), 5);
  const StepResult r = run_step("target_noise", &m.pair, &m.self, "schedule", &loud.self);
  CHECK(r.p_beyond < 0.05);
  CHECK(std::string(r.kind) == "batch_or_schedule_dependent");
  const Made like = made(law_of(0.05), {}, 6);
  CHECK(run_step("target_noise", &m.pair, &m.self, "schedule", &like.self).p_beyond > 0.05);
  CHECK_FALSE(run_step("target_noise", &m.pair, &m.self).applies);
  CHECK_FALSE(run_step("target_noise", &m.pair, nullptr, "none", &like.self).applies);
  NoiseProfile same = m.self;
  same.identical = true;
  CHECK(std::isnan(run_step("target_noise", &m.pair, &same, "none", &loud.self).p_beyond));
}

TEST_CASE("token steps: every symptom has its row", "[compare]") {
  for (const char* name : {"prefill_wrong", "large_swings", "more_noise", "parts_sooner", "target_varies"}) CHECK(find_symptom(name));
}
