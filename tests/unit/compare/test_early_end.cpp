#include <algorithm>

#include "compare/comparison.h"
#include "made_evidence.h"
#include "report/document.h"

using namespace vaa;

namespace {

// `cut` of `pairs` are cut on the target's side, `other` on the reference's; `repeats` pairs that follow each other are of one question.
StepResult early_end(int pairs, int cut, int other, int repeats = 1) {
  TokenEvidence e;
  for (int i = 0; i < pairs; ++i) {
    TokenPair pair;
    pair.question = i / repeats;
    pair.greedy = true;
    pair.reference_tokens = pair.target_tokens = 200;
    if (i < cut + other) {
      (i < cut ? pair.target_tokens : pair.reference_tokens) = 100;
      pair.length_only = true;
      pair.first_divergence = 100;
    }
    e.pairs.push_back(pair);
  }
  return run_step("early_end", &e, nullptr, "version");
}

}  // namespace

TEST_CASE("early ends: answers that stop within the reference's are beyond the margin where one side has them", "[compare]") {
  const StepResult r = early_end(400, 40, 0);
  CHECK(r.effect == Approx(0.1));
  CHECK(r.lower > r.margin);
  CHECK(r.p_beyond < 1e-6);
  CHECK(std::string(r.symptom) == "early_end");
}

TEST_CASE("early ends: as many on either side are noise", "[compare]") {
  const StepResult r = early_end(400, 12, 12);
  CHECK(r.effect == Approx(0));
  CHECK(r.p_beyond > 0.5);
  CHECK(r.lower < 0);
}

TEST_CASE("early ends: none in a few pairs tells little, and says how little", "[compare]") {
  const StepResult r = early_end(64, 0, 0);
  CHECK(r.effect == 0);
  CHECK(!r.inside);
  CHECK(r.detectable > 0.05);  // 0 of 64 leaves 5.66 points (Newcombe)
  CHECK(!early_end(1, 0, 0).applies);
}

TEST_CASE("early ends: repeats of a question are no questions of their own", "[compare]") {
  // Two of 60 questions, each in all four repeats: mean 1/30, variance of a question 60/59 x 1/30 x 29/30, t = 1.43.
  const StepResult r = early_end(240, 8, 0, 4);
  CHECK(r.effect == Approx(1.0 / 30));
  CHECK(r.effect / std::sqrt(1.0 / 30 * 29 / 30 / 59) == Approx(1.426).epsilon(1e-3));
  CHECK(r.lower < 0);
  CHECK(r.p > 0.1);
  CHECK(r.p_beyond > 0.1);
  CHECK(early_end(240, 120, 0, 4).p_beyond < 1e-6);
  CHECK(!early_end(300, 30, 0, 300).applies);  // of one question nothing follows
}

namespace {

constexpr int kTokens = 100;

// Greedy answers with ids alone. In a seventh of the questions this run parts from others at a token of its own.
Sample greedy_answer(int q, int run, size_t cut) {
  Sample s;
  s.set(TextField::kDataset, "made");
  s.set(TextField::kId, std::to_string(q));
  s.set(IntField::kRepeat, 0);
  s.set(RealField::kTemperature, 0);
  s.set(IntField::kIdsIncludeStop, 0);
  s.set(TextField::kFinishReason, "stop");
  s.ids.put(IdsField::kPromptTokenIds) = {1, q + 10};
  auto& ids = s.ids.put(IdsField::kOutputTokenIds);
  ids.clear();
  const int parts = (q + run) % 7 == 0 ? (q * 37 + run * 11) % kTokens : kTokens;
  for (int i = 0; i < kTokens; ++i) ids.push_back(1000 * (i >= parts ? run + 2 : 1) + q + i);
  ids.resize(std::min(ids.size(), cut));
  s.set(TextField::kOutputText, "Answer " + std::to_string(q) + " ends here, after " + std::to_string(ids.size()) + " tokens.");
  return s;
}

// `shorter` of the target's answers are cut at 40 tokens. By tokens.
Report cut_target(int questions, int shorter) {
  const Checker checker("{}", nullptr);
  const auto table = comparison_option_table();
  Comparison comparison(checker, comparison_options(Options(R"({"reference_again": true, "primary": "tokens"})", table.data(), table.size(), "test")));
  const auto scratch = checker.new_scratch();
  Judgement judgement;
  for (const int32_t role : {kReferenceRun, kTargetRun, kReferenceAgain}) {
    for (int q = 0; q < questions; ++q) {
      const Sample s = greedy_answer(q, role, role == kTargetRun && q < shorter ? 40 : kTokens);
      checker.judge(s, scratch.get(), &judgement);
      comparison.add(role, s, judgement);
    }
  }
  return comparison.report();
}

}  // namespace

TEST_CASE("early ends: a target that is cut is called early end, and no noise of its numbers", "[compare]") {
  const Report report = cut_target(200, 200);
  const Document d = Document::parse(report.json());
  CHECK(report.verdict() == Verdict::kFail);
  std::string kinds;
  for (const Document& kind : d.at("comparison", "kinds").items()) kinds += kind.text() + " ";
  CHECK(kinds.find("early_end") == 0);
  CHECK(kinds.find("numeric_drift") == std::string::npos);
  for (const Document& s : d.at("comparison", "steps").items()) {
    if (s["name"].text() == "survival") CHECK(s["status"].text() != "fail");
  }
}

TEST_CASE("early ends: as many as chance seldom makes keep a pass away, since no noise of numbers ends answers on one side", "[compare]") {
  CHECK(cut_target(400, 0).verdict() == Verdict::kPass);
  const Report report = cut_target(400, 9);  // two of them part before: 0 against 7, p = 0.016, and not for certain more than half a point
  CHECK(report.verdict() == Verdict::kUndecided);
  CHECK(Document::parse(report.json()).at("verdict", "reason").text().find("Answers that end early") == 0);
}
