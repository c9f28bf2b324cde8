// The rule from steps to a verdict, row by row: steps are made here, with the numbers that a real one would have.
#include "catch.h"
#include "compare/decide.h"
#include "compare/verdict_kinds.h"

using namespace vaa;

namespace {

StepResult never(const ComparisonView&) { return {}; }
const Step kScore{"score", "score", true, {"Score", "得分"}, never}, kFlags{"flags", "flags", true, {"Flags", "标记"}, never}, kLengths{"lengths", "lengths", true, {"Lengths", "长度"}, never},
    kDrift{"drift", "tokens", true, {"Drift", "漂移"}, never}, kPrefill{"prefill", "tokens", true, {"Prefill", "预填充"}, never};

StepOutcome made(const Step& step, double p_beyond, double p, bool inside, const char* kind = "") {
  StepOutcome o{&step, {}};
  o.result.applies = true;
  o.result.effect = 0.1;
  o.result.p = p;
  o.result.p_beyond = p_beyond;
  o.result.inside = inside;
  o.result.detectable = 1;
  o.result.margin = 0.01;
  o.result.kind = kind;
  o.result.words = {"moved", "变化"};
  return o;
}
StepOutcome fails(const Step& step, const char* kind = "") { return made(step, 0.001, 0.001, false, kind); }
StepOutcome passes(const Step& step) { return made(step, 1, 0.6, true); }
StepOutcome open(const Step& step, double p = 0.6) { return made(step, 0.6, p, false); }
StepOutcome absent(const Step& step) {
  StepOutcome o{&step, {}};
  o.result.words = {"not recorded", "未记录"};
  return o;
}

struct World {
  Checker checker{"{}", nullptr};
  RunSide reference{checker}, target{checker};
  RunPairing pairing;
  TokenEvidence tokens;
  NoiseProfile noise;
  Decision decide(std::vector<StepOutcome> steps, const char* primary = "", const char* change = "version", bool with_noise = false, bool with_tokens = false) {
    const ComparisonView view{reference, target, pairing, find_margins(change), -1, 0, true, with_tokens ? &tokens : nullptr, with_noise ? &noise : nullptr, nullptr};
    return vaa::decide(std::move(steps), primary, view);
  }
};

void add_pair(TokenEvidence* tokens, float reference, float target) {
  TokenPair pair;
  pair.question = 0;
  pair.greedy = true;
  pair.start = 10;
  pair.reference_tokens = pair.target_tokens = 1;
  pair.first_row = static_cast<int32_t>(tokens->rows.size());
  pair.rows = 1;
  tokens->pairs.push_back(pair);
  tokens->rows.reference_logprob.push_back(reference);
  tokens->rows.target_logprob.push_back(target);
  tokens->rows.gap.push_back(1);
  tokens->rows.target_gap.push_back(1);
  tokens->rows.flip.push_back(0);
}

}  // namespace

TEST_CASE("verdict: every row of the rule", "[compare]") {
  World w;
  struct Case {
    const char* what;
    std::vector<StepOutcome> steps;
    const char* primary;
    const char* change;
    bool noise;
    int code;
    const char* name;
    const char* leads;
  };
  const Case cases[] = {
      {"score fails", {fails(kScore), passes(kFlags)}, "", "version", false, 1, "worse", "score"},
      {"score passes, flags fail", {passes(kScore), fails(kFlags)}, "", "version", false, 1, "worse", "score"},
      {"score passes", {passes(kScore), open(kFlags)}, "", "version", false, 0, "equivalent", "score"},
      {"score open", {open(kScore), passes(kFlags)}, "", "version", false, 3, "undecided", "score"},
      {"another differs for certain", {passes(kScore), open(kFlags, 0.001)}, "", "version", false, 3, "undecided", "score"},
      {"no score, no noise: flags lead though tokens are there", {absent(kScore), passes(kFlags), passes(kDrift)}, "", "version", false, 0, "equivalent", "flags"},
      {"no score, noise: tokens lead", {absent(kScore), open(kFlags), passes(kDrift)}, "", "version", true, 0, "equivalent", "tokens"},
      {"tokens without noise are never equivalent", {absent(kScore), open(kFlags), passes(kDrift)}, "tokens", "version", false, 0, "no_difference_found", "tokens"},
      {"tokens fail beside a score that passes", {passes(kScore), passes(kFlags), fails(kDrift)}, "", "version", true, 1, "worse", "score"},
      {"quant: token distances gate nothing", {passes(kScore), passes(kFlags), fails(kDrift)}, "", "quant", true, 0, "equivalent", "score"},
      {"quant: other prompts still do", {passes(kScore), passes(kFlags), fails(kDrift, "input_mismatch")}, "", "quant", true, 1, "worse", "score"},
      {"a token step open behind the first", {absent(kScore), open(kFlags), passes(kDrift), open(kPrefill)}, "tokens", "version", true, 0, "no_difference_found", "tokens"},
      {"a token step that differs for certain behind the first", {absent(kScore), open(kFlags), passes(kDrift), open(kPrefill, 0.001)}, "tokens", "version", true, 3, "undecided", "tokens"},
      {"the first token step open", {absent(kScore), open(kFlags), open(kDrift), passes(kPrefill)}, "tokens", "version", true, 3, "undecided", "tokens"},
      {"asked for what is not there", {absent(kScore), passes(kFlags)}, "score", "version", false, 2, "not_comparable", "score"},
      {"asked for tokens and there are no such steps", {passes(kScore), passes(kFlags)}, "tokens", "version", false, 2, "not_comparable", "tokens"},
      {"numbers of a side that cannot be used", {absent(kScore), passes(kFlags), fails(kDrift, "not_comparable")}, "tokens", "version", true, 2, "not_comparable", "tokens"},
      {"the same, and flags lead", {absent(kScore), passes(kFlags), fails(kDrift, "not_comparable")}, "", "version", true, 0, "equivalent", "flags"},
  };
  for (const Case& c : cases) {
    INFO(c.what);
    const Decision d = w.decide(c.steps, c.primary, c.change, c.noise);
    CHECK(d.code == c.code);
    CHECK(std::string(d.name) == c.name);
    CHECK(d.primary == c.leads);
  }
}

TEST_CASE("verdict: Holm within the primary family, and over the others", "[compare]") {
  World w;
  const auto at = [](const Step& step, double p) { return made(step, p, p, false); };
  // Two token steps share 5 %: 0.03 of two is 0.06. Two others share theirs: 0.02 is 0.04.
  const Decision d = w.decide({at(kDrift, 0.03), at(kPrefill, 0.5), at(kFlags, 0.02), at(kLengths, 0.3)}, "tokens", "version", true);
  CHECK(d.steps[0].p_adjusted == 2 * 0.03);
  CHECK(d.steps[1].p_adjusted == 0.5);
  CHECK(d.steps[2].p_adjusted == 2 * 0.02);
  CHECK(d.steps[2].status == StepStatus::kFail);
  CHECK(d.steps[0].status == StepStatus::kUndecided);
  const Decision alone = w.decide({at(kScore, 0.04), at(kFlags, 0.03), at(kLengths, 0.3)});
  CHECK(alone.steps[0].p_adjusted == 0.04);
  CHECK(alone.code == 1);
}

TEST_CASE("verdict: kinds are named, and the one that explains the rest comes first", "[compare]") {
  World w;
  const auto kinds = [](const Decision& d) { return std::vector<std::string>(d.kinds.begin(), d.kinds.end()); };
  CHECK(kinds(w.decide({fails(kScore), fails(kFlags, "catastrophic_bad_cases"), fails(kDrift)}, "", "version", true)) == std::vector<std::string>{"numeric_drift", "catastrophic_bad_cases", "score_drop"});
  CHECK(kinds(w.decide({fails(kDrift, "position_dependent_drift"), fails(kPrefill, "prefill_mismatch")}, "tokens")) == std::vector<std::string>{"prefill_mismatch", "position_dependent_drift"});
  CHECK(kinds(w.decide({absent(kScore), open(kFlags), passes(kDrift)}, "", "version", true)) == std::vector<std::string>{"equivalent_within_noise"});
  CHECK(kinds(w.decide({passes(kScore), passes(kFlags)})).empty());
}

TEST_CASE("verdict: an identical reference against itself measures nothing to be equivalent within", "[compare]") {
  World w;
  w.noise.identical = true;
  CHECK(std::string(w.decide({absent(kScore), open(kFlags), passes(kDrift)}, "tokens", "version", true).name) == "no_difference_found");
}

TEST_CASE("verdict: identical is every id and every bit of the logprobs, and a gate that fires still counts", "[compare]") {
  World w;
  add_pair(&w.tokens, -0.5f, -0.5f);
  w.tokens.reference.with_logprobs = w.tokens.target.with_logprobs = 1;
  const std::vector<StepOutcome> steps{open(kScore), open(kFlags)};
  CHECK(std::string(w.decide(steps, "", "version", false, true).name) == "identical");
  CHECK(w.decide(steps, "", "version", false, true).code == 0);
  CHECK(w.decide({fails(kScore), open(kFlags)}, "", "version", false, true).code == 1);
  for (int64_t* left : {&w.tokens.unpaired, &w.tokens.sampled, &w.tokens.without_ids}) {
    *left = 1;
    CHECK(w.decide(steps, "", "version", false, true).code == 3);
    *left = 0;
  }
  w.tokens.pairs[0].same_text = false;
  CHECK(w.decide(steps, "", "version", false, true).code == 3);
  w.tokens.pairs[0].same_text = true;
  w.tokens.pairs[0].first_divergence = 0;
  CHECK(w.decide(steps, "", "version", false, true).code == 3);
  w.tokens.pairs[0].first_divergence = -1;
  add_pair(&w.tokens, -0.5f, std::nextafter(-0.5f, 0.0f));
  CHECK(w.decide(steps, "", "version", false, true).code == 3);
  w.tokens.rows.target_logprob = w.tokens.rows.reference_logprob;
  CHECK(std::string(w.decide(steps, "", "version", false, true).name) == "identical");
  for (const auto count : {&SideFaults::nan, &SideFaults::positive, &SideFaults::mass, &SideFaults::rank, &SideFaults::wrong_length}) {
    w.tokens.target.*count = 1;
    CHECK(w.decide(steps, "", "version", false, true).code == 3);
    w.tokens.target.*count = 0;
  }
  // A target that records no logprobs is held to its ids alone.
  w.tokens.target.with_logprobs = 0;
  w.tokens.rows.target_logprob.assign(2, std::nanf(""));
  CHECK(std::string(w.decide(steps, "", "version", false, true).name) == "identical");
  w.tokens.target.with_lists = 1;
  CHECK(w.decide(steps, "", "version", false, true).code == 3);
}

TEST_CASE("verdict: logprobs of two kinds are not the same, though none is left to compare", "[compare]") {
  World w;
  add_pair(&w.tokens, std::nanf(""), std::nanf(""));
  w.tokens.reference.with_logprobs = w.tokens.target.with_logprobs = 1;
  const std::vector<StepOutcome> steps{open(kScore), open(kFlags)};
  w.tokens.mixed_modes = true;
  CHECK(w.decide(steps, "", "version", false, true).code == 3);
  w.tokens.mixed_modes = false, w.tokens.other_modes = 1;
  CHECK(w.decide(steps, "", "version", false, true).code == 3);
}

TEST_CASE("verdict: what is missing on one side leaves it undecided, whatever the steps say", "[compare]") {
  World w;
  w.pairing.shared.assign(80, {0, 0});
  w.pairing.only_reference.assign(20, 0);
  CHECK(w.decide({passes(kScore), passes(kFlags)}).code == 3);
}
