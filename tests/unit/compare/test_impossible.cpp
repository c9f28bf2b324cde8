// Logprobs that cannot be: a few are left out and named, of many nothing is compared by tokens.
#include <cmath>
#include <functional>

#include "compared.h"

using namespace vaa;

namespace {

constexpr int kAnswers = 20, kTokens = 50;  // 1,000 positions

using Spoil = std::function<void(int answer, Sample*)>;

std::vector<Sample> run_of(const Spoil& spoil, bool score = false) {
  std::vector<Sample> out;
  for (int q = 0; q < kAnswers; ++q) {
    Sample s;
    s.set(TextField::kDataset, "made");
    s.set(TextField::kId, std::to_string(q));
    s.set(IntField::kRepeat, 0);
    s.set(RealField::kTemperature, 0);
    s.set(TextField::kOutputText, "It is " + std::to_string(q) + ".");
    if (score) s.set(IntField::kScoreCorrect, 1);
    auto &ids = s.ids.put(IdsField::kOutputTokenIds), &top = s.ids.put(IdsField::kOutputTopIds);
    auto &chosen = s.real_lists.put(RealsField::kOutputLogprobs), &logprobs = s.real_lists.put(RealsField::kOutputTopLogprobs);
    auto& ends = s.int_lists.put(IntsField::kOutputTopEnds);
    ids.clear(), top.clear(), chosen.clear(), logprobs.clear(), ends.clear();
    for (int i = 0; i < kTokens; ++i) {
      ids.push_back(10 * i);
      chosen.push_back(-0.25);
      top.insert(top.end(), {10 * i, 10 * i + 1});
      logprobs.insert(logprobs.end(), {-0.25, -2.25});
      ends.push_back(2 * (i + 1));
    }
    spoil(q, &s);
    out.push_back(s);
  }
  return out;
}
void leave(int, Sample*) {}
void without_lists(Sample* s) {
  s->ids.unset(IdsField::kOutputTopIds);
  s->real_lists.unset(RealsField::kOutputTopLogprobs);
  s->int_lists.unset(IntsField::kOutputTopEnds);
}

struct Verdicts {
  int code;
  std::string reason, validity;
  bool dropped;  // no step looks at gaps
};
// The target spoilt; the reference again, where it is given, as a second run.
Verdicts judged(const std::vector<Sample>& target, const std::string& options = "{}", const std::vector<Sample>* again = nullptr) {
  const Checker checker("{}", nullptr);
  const auto table = comparison_option_table();
  Comparison comparison(checker, comparison_options(Options(options, table.data(), table.size(), "test")));
  const auto scratch = checker.new_scratch();
  Judgement judgement;
  const auto add = [&](int32_t role, const std::vector<Sample>& samples) {
    for (const Sample& s : samples) {
      checker.judge(s, scratch.get(), &judgement);
      comparison.add(role, s, judgement);
    }
  };
  const bool score = target[0].has(IntField::kScoreCorrect);
  add(kReferenceRun, run_of(leave, score));
  add(kTargetRun, target);
  if (again) add(kReferenceAgain, *again);
  const Report report = comparison.report();
  const Document d = Document::parse(report.json());
  Verdicts out{static_cast<int>(report.verdict()), d.at("verdict", "reason").text(), "", true};
  for (const Document& s : d.at("comparison", "steps").items()) {
    if (s["name"].text() == "validity") out.validity = s.at("words", "en").text();
    if (s["name"].text() == "flips" || s["name"].text() == "drift") out.dropped = out.dropped && s["status"].text() == "not_applicable";
  }
  return out;
}
bool holds(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("impossible: logprobs that are all above 0 are not comparable, with how many and where", "[compare]") {
  const Verdicts v = judged(run_of([](int, Sample* s) {
    for (double& x : s->real_lists.put(RealsField::kOutputLogprobs)) x = 0.5;
    without_lists(s);
  }));
  CHECK(v.code == 2);
  CHECK(holds(v.reason, "1,000 of 1,000 positions of the target (100 %) have logprobs that cannot be, first made/0, output 0: logprob 0.5; at most 1 % may be left out"));
}

TEST_CASE("impossible: NaN, minus infinity of a chosen token, and lists that add to over 1 are not comparable", "[compare]") {
  for (const double x : {std::nan(""), -HUGE_VAL, HUGE_VAL, 0.0011}) {
    const Verdicts v = judged(run_of([=](int, Sample* s) { s->real_lists.put(RealsField::kOutputLogprobs)[7] = x; }));  // 2 % of the positions
    CHECK(v.code == 2);
    CHECK(holds(v.reason, "20 of 1,000 positions of the target (2 %)"));
    CHECK(v.dropped);
  }
  const Verdicts mass = judged(run_of([](int, Sample* s) {
    for (double& x : s->real_lists.put(RealsField::kOutputTopLogprobs)) x = -0.5;  // two of exp(-0.5): 1.21
  }));
  CHECK(mass.code == 2);
  CHECK(holds(mass.reason, "listed probabilities add to 1.21"));
}

TEST_CASE("impossible: up to a hundredth is left out and named, and so is rounding above 0", "[compare]") {
  const Verdicts few = judged(run_of([](int q, Sample* s) {
    if (q < 10) s->real_lists.put(RealsField::kOutputLogprobs)[7] = 0.5;  // 1 % of the positions
  }));
  CHECK(few.code != 2);
  CHECK(holds(few.validity, "10 values cannot be right and are left out"));
  const Verdicts rounded = judged(run_of([](int, Sample* s) {
    for (double& x : s->real_lists.put(RealsField::kOutputLogprobs)) x = 1e-7;
  }));
  CHECK(rounded.code != 2);
  CHECK(rounded.validity == "every id and logprob of both sides is one that can be");
}

TEST_CASE("impossible: a score is still judged, and the verdict says that tokens are not", "[compare]") {
  const auto spoil = [](int, Sample* s) {
    for (double& x : s->real_lists.put(RealsField::kOutputLogprobs)) x = 0.5;
  };
  const Verdicts scored = judged(run_of(spoil, true));
  CHECK(scored.code != 2);
  CHECK(holds(scored.reason, "not comparable by tokens: Validity of ids and logprobs: 1,000 of 1,000 positions of the target"));
  CHECK(judged(run_of(spoil, true), R"({"primary": "tokens"})").code == 2);
}

TEST_CASE("impossible: the numbers of a second run are held to the same", "[compare]") {
  const std::vector<Sample> again = run_of([](int, Sample* s) {
    for (double& x : s->real_lists.put(RealsField::kOutputLogprobs)) x = std::nan("");
  });
  const Verdicts v = judged(run_of(leave), R"({"reference_again": true, "primary": "tokens"})", &again);
  CHECK(v.code == 2);
  CHECK(holds(v.reason, "1,000 of 1,000 positions of the reference's second run"));
}
