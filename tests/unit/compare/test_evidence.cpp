// Pairs of answers as rows: against formulas, for any order of arrival.
#include <algorithm>
#include <cmath>
#include <random>

#include "compare/evidence_builder.h"
#include "compare/logprob_mode.h"
#include "compared.h"

using namespace vaa;

namespace {

// An answer whose position i lists its id and the id above it, `gap` nats apart.
Sample scored(const std::string& id, const std::vector<int32_t>& ids, double gap = 1, double shift = 0) {
  Sample s;
  s.set(TextField::kDataset, "made");
  s.set(TextField::kId, id);
  s.set(IntField::kRepeat, 0);
  s.set(RealField::kTemperature, 0);
  s.set(TextField::kFinishReason, "stop");
  s.set(IntField::kIdsIncludeStop, 1);
  s.set(TextField::kOutputText, "text");
  s.ids.put(IdsField::kPromptTokenIds) = {1, 5, 6};
  s.ids.put(IdsField::kOutputTokenIds) = ids;
  auto& chosen = s.real_lists.put(RealsField::kOutputLogprobs);
  auto &top = s.ids.put(IdsField::kOutputTopIds);
  auto& logprobs = s.real_lists.put(RealsField::kOutputTopLogprobs);
  auto& ends = s.int_lists.put(IntsField::kOutputTopEnds);
  chosen.clear(), top.clear(), logprobs.clear(), ends.clear();
  for (const int32_t t : ids) {
    const double first = -std::log1p(std::exp(-gap)) - 0.01 + shift;  // the two hold exp(-0.01)
    chosen.push_back(first);
    top.insert(top.end(), {t, t + 1});
    logprobs.insert(logprobs.end(), {first, first - gap});
    ends.push_back(static_cast<int64_t>(top.size()));
  }
  return s;
}

using Samples = std::vector<Sample>;

struct Made {
  Made(const Samples& reference, const Samples& target, int64_t memory = StripRoom::kMemory) : builder(nullptr, std::make_shared<StripRoom>(memory)) {
    std::vector<std::pair<bool, const Sample*>> order;
    for (const Sample& s : reference) order.push_back({false, &s});
    for (const Sample& s : target) order.push_back({true, &s});
    const auto scratch = checker.new_scratch();
    Judgement judgement;
    for (const auto& [side, sample] : order) {
      RunSide& run = side ? b : a;
      checker.judge(*sample, scratch.get(), &judgement);
      run.add(*sample, judgement);
      TokenStrip strip;
      SideFaults faults;
      if (!read_strip(*sample, nullptr, &strip, &faults)) continue;
      strip.facts.question = run.rows().back().question;
      builder.add(side, strip, faults);
    }
    evidence = builder.evidence(a, b, pair_questions(a, b));
  }
  const Checker checker{"{}", nullptr};
  RunSide a{checker}, b{checker};
  EvidenceBuilder builder;
  TokenEvidence evidence;
};

std::string bits(const TokenEvidence& e) {
  std::string out(reinterpret_cast<const char*>(e.rows.flip.data()), e.rows.size());
  for (const auto column : {&TokenRows::gap, &TokenRows::target_gap, &TokenRows::reference_logprob, &TokenRows::target_logprob, &TokenRows::kl, &TokenRows::kl_rest}) out.append(reinterpret_cast<const char*>((e.rows.*column).data()), e.rows.size() * sizeof(float));
  for (const TokenPair& p : e.pairs) out += std::to_string(p.first_divergence) + "," + std::to_string(p.first_row) + "," + std::to_string(p.swing.swing) + ";";
  return out + std::to_string(e.fit.slope) + std::to_string(e.fit.n);
}

}  // namespace

TEST_CASE("evidence: rows are the positions with the same ids before them, and gaps, logprobs and KL are those of the lists", "[compare]") {
  const Made m({scored("0", {10, 20, 30, 40}, 1)}, {scored("0", {10, 20, 31, 50}, 2)});
  REQUIRE(m.evidence.pairs.size() == 1);
  const TokenPair& p = m.evidence.pairs[0];
  CHECK(p.greedy);
  CHECK(p.start == 3);
  CHECK(p.first_divergence == 2);
  CHECK_FALSE(p.length_only);
  REQUIRE(p.rows == 3);
  const TokenRows& rows = m.evidence.rows;
  CHECK(rows.flip == std::vector<uint8_t>{0, 0, 1});
  CHECK(rows.gap[0] == Approx(1).margin(1e-6));
  CHECK(rows.target_gap[0] == Approx(2).margin(1e-6));
  const double a = -std::log1p(std::exp(-1.0)) - 0.01, b = -std::log1p(std::exp(-2.0)) - 0.01;
  CHECK(rows.reference_logprob[1] == Approx(a).margin(1e-6));
  CHECK(rows.target_logprob[1] == Approx(b).margin(1e-6));
  // Two common ids and the rest, the same on both sides.
  const double kl = std::exp(a) * (a - b) + std::exp(a - 1) * (a - 1 - b + 2);
  CHECK(rows.kl[0] == Approx(kl).margin(1e-6));
  CHECK(rows.kl_rest[0] == Approx(1 - std::exp(-0.01)).margin(1e-6));
  // 30 against 31: the target's list holds 31 and 32, so its last stands for 30.
  REQUIRE(p.has_swing);
  CHECK(p.swing.reference_gap == Approx(1).margin(1e-6));
  CHECK(p.swing.target_gap == Approx(2).margin(1e-6));
  CHECK(p.swing.is_bound);
}

TEST_CASE("evidence: a truncated answer is a difference of length, with no flip", "[compare]") {
  const Made m({scored("0", {1, 2, 3, 4})}, {scored("0", {1, 2})});
  const TokenPair& p = m.evidence.pairs.at(0);
  CHECK(p.length_only);
  CHECK(p.first_divergence == 2);
  CHECK(p.rows == 2);
  CHECK(std::count(m.evidence.rows.flip.begin(), m.evidence.rows.flip.end(), 1) == 0);
}

TEST_CASE("evidence: bad positions are counted and named, and the pair keeps its good ones", "[compare]") {
  std::vector<int32_t> ids(400, 9);  // 3 of 400 are few
  Sample bad = scored("0", ids);
  bad.real_lists.put(RealsField::kOutputLogprobs)[1] = std::nan("");
  bad.real_lists.put(RealsField::kOutputTopLogprobs)[4] = 0.5;
  bad.real_lists.put(RealsField::kOutputTopLogprobs)[6] = -0.001;
  bad.real_lists.put(RealsField::kOutputTopLogprobs)[7] = -0.002;
  bad.ids.put(IdsField::kPromptTokenIds)[0] = -7;
  Sample good = scored("0", ids);
  good.ids.put(IdsField::kPromptTokenIds)[0] = -7;
  const Made m({good}, {bad});
  const SideFaults& f = m.evidence.target;
  CHECK(f.nan == 1);
  CHECK(f.positive == 1);
  CHECK(f.mass == 1);
  CHECK(f.out_of_range == 1);
  CHECK(f.first == "made/0, prompt 0: id -7");
  CHECK(m.evidence.reference.nan == 0);
  const TokenRows& rows = m.evidence.rows;
  REQUIRE(rows.size() == 400);
  CHECK(rows.target_gap[0] == Approx(1).margin(1e-6));
  CHECK(std::isnan(rows.target_gap[2]));
  CHECK(std::isnan(rows.kl[3]));
  CHECK_FALSE(std::isnan(rows.kl[0]));
}

TEST_CASE("evidence: logprobs that are not one an id are left out and counted, ids are compared", "[compare]") {
  Sample bad = scored("0", {1, 2, 3, 4});
  bad.real_lists.put(RealsField::kOutputLogprobs).pop_back();
  const Made m({scored("0", {1, 2, 3, 4})}, {bad});
  CHECK(m.evidence.target.wrong_length == 1);
  CHECK(m.evidence.target.with_logprobs == 0);
  CHECK(m.evidence.pairs.at(0).rows == 4);
}

TEST_CASE("evidence: a temperature that is not recorded is not greedy, and a seed on both sides makes a keyed pair", "[compare]") {
  Sample unknown = scored("0", {1, 2, 3});
  unknown.reals.unset(RealField::kTemperature);
  const Made none({unknown}, {scored("0", {1, 2, 3})});
  CHECK(none.evidence.pairs.empty());
  CHECK(none.evidence.sampled == 1);
  CHECK(none.evidence.temperature_unknown == 1);
  Sample keyed = scored("0", {1, 2, 3});
  keyed.set(RealField::kTemperature, 0.6);
  keyed.set(TextField::kSeed, "7");
  const Made m({keyed}, {keyed});
  REQUIRE(m.evidence.pairs.size() == 1);
  CHECK(m.evidence.pairs[0].keyed);
  CHECK_FALSE(m.evidence.pairs[0].greedy);
}

TEST_CASE("evidence: forced scores stand beside the answer that they score, at all positions", "[compare]") {
  std::vector<int32_t> ids;
  for (int32_t i = 0; i < 300; ++i) ids.push_back(100 + 3 * i);
  Sample prefill = scored("0", {9});
  Sample all = scored("0", ids, 1, -0.25);
  prefill.set(TextField::kForcedOf, "0");
  prefill.set(IntField::kForcedFrom, 3);
  auto& prompt = prefill.ids.put(IdsField::kPromptTokenIds);
  prompt.insert(prompt.end(), ids.begin(), ids.end());
  auto& logprobs = prefill.real_lists.put(RealsField::kPromptLogprobs);
  logprobs = {std::nan(""), -1, -1};
  logprobs.insert(logprobs.end(), all.real_lists.get(RealsField::kOutputLogprobs).begin(), all.real_lists.get(RealsField::kOutputLogprobs).end());
  prefill.ids.put(IdsField::kPromptTopIds) = all.ids.get(IdsField::kOutputTopIds);
  prefill.real_lists.put(RealsField::kPromptTopLogprobs) = all.real_lists.get(RealsField::kOutputTopLogprobs);
  auto& ends = prefill.int_lists.put(IntsField::kPromptTopEnds);
  ends = {0, 0, 0};
  ends.insert(ends.end(), all.int_lists.get(IntsField::kOutputTopEnds).begin(), all.int_lists.get(IntsField::kOutputTopEnds).end());
  const Made m({scored("0", ids)}, {prefill});
  REQUIRE(m.evidence.pairs.size() == 1);
  CHECK(m.evidence.pairs[0].kind == PairKind::kForced);
  CHECK(m.evidence.pairs[0].start == 3);
  REQUIRE(m.evidence.pairs[0].rows == 300);
  CHECK(m.evidence.target.nan == 0);  // the null of the first prompt id is none of the scored ones
  CHECK(m.evidence.fit.n == 300);
}

TEST_CASE("evidence: rungs are partners at their position, and of two servers in one file each has its own", "[compare]") {
  const auto rung = [](int at, int server, std::vector<int32_t> ids) {
    Sample s = scored("0@" + std::to_string(at), ids);
    s.ids.unset(IdsField::kPromptTokenIds);
    s.set(IntField::kCachedTokens, server == 0 ? 0 : at - 16);
    s.set(TextField::kExtra, R"({"rung": {"of": "0", "repeat": 0, "at": )" + std::to_string(at) + R"(, "server": )" + std::to_string(server) + "}}");
    return s;
  };
  const Samples both = {rung(64, 0, {1, 2, 3}), rung(64, 1, {1, 7, 8}), rung(4096, 0, {4, 5, 6}), rung(4096, 1, {9, 5, 6})};
  Samples turned(both.rbegin(), both.rend());
  const Made m(both, turned);
  REQUIRE(m.evidence.pairs.size() == 4);
  for (const TokenPair& p : m.evidence.pairs) {
    CHECK(p.kind == PairKind::kRung);
    CHECK(p.first_divergence == -1);
    CHECK(p.reference_cached == p.target_cached);
  }
  CHECK(m.evidence.pairs[0].start == 64);
  CHECK(m.evidence.pairs[3].start == 4096);
  CHECK(m.evidence.unpaired == 0);
  // The two servers of one ladder, each in a file of its own.
  const Made split({both[0], both[2]}, {both[1], both[3]});
  REQUIRE(split.evidence.pairs.size() == 2);
  CHECK(split.evidence.pairs[0].first_divergence == 1);
  CHECK(split.evidence.pairs[1].first_divergence == 0);
  CHECK(split.evidence.pairs[1].reference_cached == 0);
  CHECK(split.evidence.pairs[1].target_cached == 4080);
}

TEST_CASE("evidence: the same for any order of arrival, from memory and from the file", "[compare]") {
  Samples a, b;
  std::mt19937 draw(1);
  for (int q = 0; q < 20; ++q) {
    for (int r = 0; r < 3; ++r) {
      std::vector<int32_t> ids;
      for (int i = 0; i < 30; ++i) ids.push_back(static_cast<int32_t>(draw() % 1000));
      a.push_back(scored(std::to_string(q), ids, 0.5 + 0.1 * r));
      a.back().set(IntField::kRepeat, r);
      ids[draw() % 30] += 1;
      b.push_back(scored(std::to_string(q), ids, 0.7));
      b.back().set(IntField::kRepeat, r);
    }
  }
  const Made in_order(a, b);
  REQUIRE(in_order.evidence.pairs.size() == 60);
  // Questions are in the order of the reference; the order of the sides among each other is any.
  for (const int64_t memory : {StripRoom::kMemory, int64_t{0}}) {
    Samples late(b.rbegin(), b.rend());
    const Made other(a, late, memory);
    CHECK(bits(other.evidence) == bits(in_order.evidence));
    CHECK((other.evidence.spilled > 0) == (memory == 0));
  }
}

TEST_CASE("evidence: wrong BOS in all pairs is no comparison, and says so", "[compare]") {
  Samples b;
  for (int q = 0; q < 12; ++q) {
    b.push_back(scored(std::to_string(q), {1, 2, 3}));
    auto& prompt = b.back().ids.put(IdsField::kPromptTokenIds);
    prompt.insert(prompt.begin(), 1);
  }
  Samples a;
  for (int q = 0; q < 12; ++q) a.push_back(scored(std::to_string(q), {1, 2, 3}));
  const Made m(a, b);
  CHECK(m.evidence.prompts[static_cast<size_t>(PromptClass::kBosTwice)] == 12);
  CHECK(m.evidence.first_prompt == "made/0: bos_twice in the target, from id 1 of 3 and 4");
}

TEST_CASE("evidence: processed logprobs of a temperature are told by the scale of gaps and leave no evidence behind", "[compare]") {
  Samples a, b;
  for (int q = 0; q < 20; ++q) {
    a.push_back(scored(std::to_string(q), {1, 5, 9, 13, 17, 21, 25, 29}, 0.5 + 0.1 * q));
    b.push_back(scored(std::to_string(q), {1, 5, 9, 13, 17, 21, 25, 29}, (0.5 + 0.1 * q) / 0.6));
  }
  const Made m(a, b);
  CHECK(m.evidence.fit.scale_least == Approx(1 / 0.6).margin(1e-4));
  CHECK(m.evidence.fit.scale_most == Approx(1 / 0.6).margin(1e-4));
  CHECK(m.evidence.mixed_modes);
  CHECK(std::isnan(m.evidence.rows.gap[0]));
  CHECK_FALSE(Made(a, a).evidence.mixed_modes);
}

TEST_CASE("evidence: lists that always add to 1 beside lists that do not are logprobs of another mode", "[compare]") {
  std::vector<int32_t> ids(120);
  for (size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<int32_t>(10 + 2 * i);
  const Made same({scored("1", ids)}, {scored("1", ids)});
  CHECK(same.evidence.reference.lists == 120);
  CHECK(same.evidence.reference.whole == 0);  // the two hold exp(-0.01)
  CHECK(!mode_of(same.evidence).mixed);
  const Made renormalised({scored("1", ids)}, {scored("1", ids, 1, 0.01)});
  CHECK(renormalised.evidence.target.whole == 120);
  CHECK(mode_of(renormalised.evidence).mixed);
  CHECK(mode_of(renormalised.evidence).words.en.find("normalised over what top-k and top-p left") != std::string::npos);
}

TEST_CASE("evidence: lists that are rounded to add to just over 1 are not less than no KL apart", "[compare]") {
  Sample a = scored("0", {1, 2, 3}), b = a;
  for (double& x : a.real_lists.put(RealsField::kOutputTopLogprobs)) x += 0.0100005 + 4e-6;
  for (double& x : b.real_lists.put(RealsField::kOutputTopLogprobs)) x += 0.0100005;
  const Made m({a}, {b});
  for (const float kl : m.evidence.rows.kl) CHECK(kl >= 0);
}

TEST_CASE("evidence: asked for twice and then let go, it is the same, with answers that wait for their partners", "[compare]") {
  Samples a, b;
  std::mt19937 draw(2);
  for (int q = 0; q < 12; ++q) {
    std::vector<int32_t> ids;
    for (int i = 0; i < 30; ++i) ids.push_back(static_cast<int32_t>(draw() % 1000));
    a.push_back(scored(std::to_string(q), ids, 0.5));
    ids[draw() % 30] += 1;
    b.push_back(scored(std::to_string(q), ids, 0.7));
    if (q % 2) b.back().set(IntField::kRepeat, 5);  // no partner at once
  }
  Made made(a, b);
  REQUIRE(made.evidence.pairs.size() == 12);
  const RunPairing pairing = pair_questions(made.a, made.b);
  const std::string first = bits(made.evidence);
  CHECK(bits(made.builder.evidence(made.a, made.b, pairing)) == first);
  CHECK(bits(made.builder.finish(made.a, made.b, pairing)) == first);
}
