// Checks of a run: each finds the fault that was planted, names its samples, and is silent on healthy runs.
#include <algorithm>
#include <cmath>
#include <set>

#include "base/failure.h"
#include "catch.h"
#include "quality/run/run_check.h"
#include "simulated.h"

using namespace vaa;
using namespace vaa::tests;

namespace {

std::set<std::string> ids(const Document& samples) {
  std::set<std::string> out;
  for (const Document& sample : samples.items()) out.insert(sample["id"].text());
  return out;
}
bool fails(const Document& check) { return check["gates"].truth() && check["status"].text() == "fail"; }

// log of n choose k.
double log_choose(double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); }
// P(X >= k) where `drawn` of `all` are drawn and `marked` are marked.
double hypergeometric_tail(int k, int drawn, int marked, int all) {
  double p = 0;
  for (int i = k; i <= std::min(drawn, marked); ++i) p += std::exp(log_choose(marked, i) + log_choose(all - marked, drawn - i) - log_choose(all, drawn));
  return p;
}

}  // namespace

TEST_CASE("run checks: nothing is found in 40 healthy runs", "[quality]") {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    Simulated run(seed);
    run.questions(40, 3);
    const Document report = run.report();
    for (const RunCheck* row : run_check_table()) {
      CAPTURE(row->name);
      CHECK(check_of(report, row->name)["k"].integer() == 0);
    }
    CHECK(report["run_findings"].items().empty());
    CHECK(report.at("verdict", "code").integer() == 0);
  }
}

TEST_CASE("cross_talk: exchanged answers are found, with the question they answer, and no others", "[quality]") {
  Simulated run(7);
  run.questions(200, 1);
  std::set<std::string> exchanged;
  for (size_t i = 0; i < 20; i += 2) {
    // Both say all that their question named, as answers that restate it do.
    for (const size_t j : {i, i + 1}) {
      const std::string prompt(run.samples[j].text(TextField::kPromptText));
      run.samples[j].set(TextField::kOutputText, "We look at" + prompt.substr(prompt.find(" when") + 5) + " " + run.sentence());
      exchanged.insert(std::to_string(j));
    }
    std::swap(run.samples[i].texts.put(TextField::kOutputText), run.samples[i + 1].texts.put(TextField::kOutputText));
  }
  const Document report = run.report();
  CHECK(fails(check_of(report, "cross_talk")));
  CHECK(check_of(report, "cross_talk")["k"].integer() == 20);
  CHECK(check_of(report, "cross_talk")["n"].integer() == 200);
  const Document& samples = named(report, "cross_talk");
  CHECK(ids(samples) == exchanged);
  for (const Document& sample : samples.items()) CHECK((std::stoi(sample["id"].text()) ^ 1) == std::stoi(sample.at("other", "id").text()));
}

TEST_CASE("cross_talk: fewer than 20 prompts, or none recorded, cannot be tested", "[quality]") {
  Simulated few(3);
  few.questions(19, 4);
  CHECK(check_of(few.report(), "cross_talk")["status"].text() == "not_checked");
  Simulated none(3);
  none.questions(50, 1);
  for (Sample& sample : none.samples) sample.texts.unset(TextField::kPromptText);
  CHECK(check_of(none.report(), "cross_talk")["status"].text() == "not_checked");
}

TEST_CASE("duplicate_answers: a long answer under two prompts counts, short ones and repeated questions do not", "[quality]") {
  Simulated run(11);
  run.questions(60, 1);
  const std::string same = "A " + std::string(run.sentence() + run.sentence() + run.sentence() + run.sentence() + run.sentence());
  REQUIRE(same.size() >= 300);
  for (const size_t i : {4, 9, 30}) run.samples[i].set(TextField::kOutputText, same);
  for (const size_t i : {5, 6}) run.samples[i].set(TextField::kOutputText, "I cannot help with that.");
  run.samples[50].set(TextField::kPromptText, run.samples[51].text(TextField::kPromptText));
  run.samples[50].set(TextField::kOutputText, run.samples[51].text(TextField::kOutputText));
  const Document report = run.report();
  CHECK(check_of(report, "duplicate_answers")["k"].integer() == 3);
  CHECK(ids(named(report, "duplicate_answers")) == std::set<std::string>{"4", "9", "30"});
  CHECK(named(report, "duplicate_answers").items()[2].at("other", "id").text() == "4");
}

TEST_CASE("duplicate_answers: one text under four prompts and more may be a set phrase, and fails no run", "[quality]") {
  for (const size_t prompts : {3, 4, 40}) {
    CAPTURE(prompts);
    Simulated run(12);
    run.questions(60, 1);
    const std::string same = "I am sorry, " + std::string(run.sentence() + run.sentence() + run.sentence() + run.sentence() + run.sentence());
    REQUIRE(same.size() >= 300);
    for (size_t i = 0; i < prompts; ++i) run.samples[i].set(TextField::kOutputText, same);
    const Document report = run.report();
    CHECK(check_of(report, "duplicate_answers")["k"].integer() == static_cast<int64_t>(prompts));
    CHECK(check_of(report, "duplicate_answers")["gates"].truth() == (prompts < 4));
    CHECK(named(report, "duplicate_answers").items().size() == std::min<size_t>(prompts, 20));
    if (prompts < 4) continue;
    CHECK(report.at("verdict", "code").integer() == 0);
    CHECK((report.at("verdict", "reason").text().find("; suspected and not counted: one answer to several questions 40 of 60") != std::string::npos) == (prompts == 40));
  }
}

TEST_CASE("identical_repeats: sampled repeats that never differ fail the run, greedy ones are not asked", "[quality]") {
  Simulated run(13);
  run.questions(20, 3);
  for (size_t i = 0; i < run.samples.size(); ++i) run.samples[i].set(TextField::kOutputText, run.samples[i - i % 3].text(TextField::kOutputText));
  CHECK(fails(check_of(run.report(), "identical_repeats")));
  CHECK(run.report().at("verdict", "code").integer() == 1);

  for (Sample& sample : run.samples) sample.reals.unset(RealField::kTemperature);
  CHECK_FALSE(check_of(run.report(), "identical_repeats")["gates"].truth());
  CHECK(check_of(run.report(), "identical_repeats")["k"].integer() == 20);
  CHECK(run.report().at("verdict", "reason").text().find("; suspected and not counted: questions whose repeats are identical 20 of 20") != std::string::npos);
  CHECK(run.report().at("verdict", "reason_zh").text().find("；疑似、未计入：多次重复完全相同的提示词 20/20") != std::string::npos);

  for (Sample& sample : run.samples) sample.set(RealField::kTemperature, 0.0);
  CHECK(check_of(run.report(), "identical_repeats")["status"].text() == "not_checked");
}

TEST_CASE("identical_repeats: some equal questions, or one repeat that differs, are not a stuck seed", "[quality]") {
  Simulated run(17);
  run.questions(30, 3);
  for (size_t i = 0; i < run.samples.size(); ++i) {
    if (i % 3 == 1) run.samples[i].set(TextField::kOutputText, run.samples[i - 1].text(TextField::kOutputText));
    if (i < 30) run.samples[i].set(TextField::kOutputText, run.samples[i - i % 3].text(TextField::kOutputText));
  }
  const Document report = run.report();
  CHECK(check_of(report, "identical_repeats")["k"].integer() == 10);
  CHECK_FALSE(fails(check_of(report, "identical_repeats")));
}

TEST_CASE("same_length_wall: answers cut at a number of words are found through their open ends", "[quality]") {
  Simulated run(19);
  run.questions(120, 1);
  int64_t open = 0;
  for (size_t i = 0; i < 40; ++i) {
    std::string text;
    for (int s = 0; s < 20; ++s) text += run.sentence();
    size_t at = 0;
    for (int words = 0; words < 150; ++words) at = text.find(' ', at + 1);
    run.samples[i].set(TextField::kOutputText, text.substr(0, at));
    open += text[at - 1] != '.';
  }
  const Document report = run.report();
  const Document& check = check_of(report, "same_length_wall");
  CHECK(check["k"].integer() == open);
  CHECK(fails(check));
  CHECK(check["p"].number() < 1e-6);
  CHECK(report.at("verdict", "causes").items()[0]["kind"].text() == "run");
}

TEST_CASE("same_length_wall: answers of exactly the longest length in tokens are a wall; where the finish reason is recorded it is not asked", "[quality]") {
  Simulated run(23);
  run.questions(100, 1);
  for (size_t i = 0; i < 100; ++i) run.samples[i].set(IntField::kCompletionTokens, i < 12 ? 512 : static_cast<int64_t>(50 + run.random()() % 400));
  const Document report = run.report();
  CHECK(check_of(report, "same_length_wall")["k"].integer() == 12);
  CHECK(fails(check_of(report, "same_length_wall")));
  for (Sample& sample : run.samples) sample.set(TextField::kFinishReason, "stop");
  CHECK(check_of(run.report(), "same_length_wall")["status"].text() == "not_checked");
}

TEST_CASE("reasoning_missing: those few without reasoning are named and fail no run", "[quality]") {
  Simulated run(29);
  run.questions(50, 1);
  for (size_t i = 0; i < 50; ++i) {
    if (i % 20 != 0) run.samples[i].set(TextField::kOutputReasoning, "I think about it.");
  }
  const Document report = run.report();
  CHECK(check_of(report, "reasoning_missing")["k"].integer() == 3);
  CHECK(ids(named(report, "reasoning_missing")) == std::set<std::string>{"0", "20", "40"});
  CHECK(report.at("verdict", "code").integer() == 0);
  for (size_t i = 0; i < 15; ++i) run.samples[i].texts.unset(TextField::kOutputReasoning);
  CHECK(check_of(run.report(), "reasoning_missing")["status"].text() == "not_checked");  // a model that thinks when it likes
}

TEST_CASE("first_token_collapse: one repeat that begins unlike the others is named; datasets that begin unlike each other are not", "[quality]") {
  Simulated run(31);
  run.questions(40, 3);
  CHECK(check_of(run.report(), "first_token_collapse")["k"].integer() == 0);  // all begin with "So"
  run.questions(40, 1, "other");
  for (size_t i = 120; i < 160; ++i) run.samples[i].set(TextField::kOutputText, "Certainly. " + run.sentence());
  CHECK(check_of(run.report(), "first_token_collapse")["k"].integer() == 0);
  for (size_t i = 2; i < 120; i += 3) run.samples[i].set(TextField::kOutputText, "Hmm " + std::string(run.samples[i].text(TextField::kOutputText)));
  const Document report = run.report();
  CHECK(check_of(report, "first_token_collapse")["k"].integer() == 40);
  CHECK_FALSE(check_of(report, "first_token_collapse")["gates"].truth());
}

TEST_CASE("time_burst: a crowd of failures is found with a bound of its chance; the same number spread out is not", "[quality]") {
  Simulated run(37);
  run.questions(256, 1);
  std::vector<Sample> spread = run.samples;
  for (int i = 0; i < 12; ++i) {
    run.samples[static_cast<size_t>(100 + i)].set(TextField::kErrorMessage, "reset");
    spread[static_cast<size_t>(i * 21)].set(TextField::kErrorMessage, "reset");
  }
  const Document report = run.report();
  const Document& check = check_of(report, "time_burst");
  CHECK(check["k"].integer() == 12);
  CHECK_FALSE(check["gates"].truth());
  // Windows of 8, 16, …, 128 of 256 in steps of half of them: 63 + 31 + 15 + 7 + 3. The failures at 100 … 111 lie in the window of 16 from 96 on.
  CHECK(check["p"].number() == Approx(119 * hypergeometric_tail(12, 16, 12, 256)).epsilon(1e-9));
  run.samples = spread;
  CHECK(check_of(run.report(), "time_burst")["k"].integer() == 0);
  CHECK(check_of(run.report(), "time_burst")["n"].integer() == 12);
}

TEST_CASE("time_burst: too few samples for any window are no crowd", "[quality]") {
  for (const int size : {1, 7, 8, 15, 16}) {
    Simulated run(38);
    run.questions(size, 1);
    for (Sample& sample : run.samples) sample.set(TextField::kErrorMessage, "reset");
    CHECK(check_of(run.report(), "time_burst")["k"].integer() == 0);
  }
}

TEST_CASE("missing_repeats: what questions lack of the usual number, not what one has too many", "[quality]") {
  Simulated run(41);
  run.questions(50, 4);
  run.samples.push_back(run.samples[0]);  // a question with five
  run.samples.erase(run.samples.begin() + 101, run.samples.begin() + 104);  // question 25 keeps one
  const Document report = run.report();
  const Document& check = check_of(report, "missing_repeats");
  CHECK(check["k"].integer() == 3);
  CHECK(check["n"].integer() == 200);
  CHECK(ids(named(report, "missing_repeats")) == std::set<std::string>{"25"});
}

TEST_CASE("run checks: fail_on takes their names", "[quality]") {
  Simulated run(43);
  run.questions(50, 1);
  for (size_t i = 0; i < 49; ++i) run.samples[i].set(TextField::kOutputReasoning, "I think about it.");
  TallyOptions options = quiet();
  options.fail_on = {"reasoning_missing"};
  CHECK(run.report(options).at("verdict", "code").integer() == 1);
  options.fail_on = {"reasoning_missing:0.5"};
  CHECK(run.report(options).at("verdict", "code").integer() == 0);
  options.fail_on = {"reasoning_mising"};
  CHECK_THROWS_AS(Tally(all_flags(), options), Failure);
}

TEST_CASE("run checks: the report is the same for any order of input", "[quality]") {
  Simulated run(47);
  run.questions(60, 3);
  for (size_t i = 0; i < run.samples.size(); i += 9) run.samples[i].set(TextField::kOutputText, "�� broken " + run.sentence());
  for (size_t i = 0; i < 20; ++i) run.samples[i].set(TextField::kErrorMessage, "reset");
  std::swap(run.samples[30].texts.put(TextField::kOutputText), run.samples[60].texts.put(TextField::kOutputText));
  const Document one = run.report();
  std::shuffle(run.samples.begin(), run.samples.end(), run.random());
  const Document other = run.report();
  for (const RunCheck* row : run_check_table()) {
    for (const char* key : {"k", "n"}) CHECK(check_of(one, row->name)[key].integer() == check_of(other, row->name)[key].integer());
    CHECK(check_of(one, row->name)["words"]["en"].text() == check_of(other, row->name)["words"]["en"].text());
    CHECK(ids(named(one, row->name)).size() == ids(named(other, row->name)).size());
  }
  const auto& rows = one.at("groups", "rows").items();
  REQUIRE(rows.size() == other.at("groups", "rows").items().size());
  CHECK_FALSE(rows.empty());
  for (size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i]["words"]["en"].text() == other.at("groups", "rows").items()[i]["words"]["en"].text());
    const double p = rows[i]["p"].number(), q = other.at("groups", "rows").items()[i]["p"].number();
    CHECK((p == q || (std::isnan(p) && std::isnan(q))));
  }
}
