#include <cmath>
#include <random>

#include "base/failure.h"
#include "base/figures.h"
#include "catch.h"
#include "quality/rates.h"
#include "tallied.h"

using namespace vaa;
using namespace vaa::tests;

namespace {

double binomial_mass(int64_t k, int64_t n, double p) {
  return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(p) + (n - k) * std::log1p(-p));
}
double share_that_fails(int64_t n, double rate, double ceiling) {
  double below = 0;
  for (int64_t k = 0; k < fewest_that_fail(n, ceiling); ++k) below += binomial_mass(k, n, rate);
  return 1 - below;
}
Verdict verdict_of(const Tally& tally) { return tally.report({}).verdict(); }
TallyOptions with(const char* key, const char* value) {
  TallyOptions options = quiet();
  if (std::string(key) == "baseline") options.baseline = value;
  if (std::string(key) == "expect") options.expect = value;
  if (std::string(key) == "fail_on") options.fail_on = {value};
  if (std::string(key) == "require") options.require = {value};
  return options;
}

}  // namespace

TEST_CASE("verdict: a rate at its ceiling fails in under 1 % of runs, three times as much is seen where n allows", "[quality]") {
  for (const int64_t n : {30, 198, 1319, 14042}) {
    CAPTURE(n);
    for (const double rate : {0.0002, 0.003, 0.01}) CHECK(share_that_fails(n, rate, 0.01) < 0.005);
    CHECK(share_that_fails(n, 0.2, 0.01) > 0.95);
    if (n >= 198) CHECK(share_that_fails(n, 0.1, 0.01) > 0.95);
    if (n >= 1319) CHECK(share_that_fails(n, 0.03, 0.01) > 0.95);
  }
  // Exact numbers of an independent program (Python, sums of binomial terms): docs/verdict.md.
  CHECK(fewest_that_fail(30, 0.01) == 3);
  CHECK(fewest_that_fail(198, 0.01) == 7);
  CHECK(fewest_that_fail(1319, 0.01) == 24);
  CHECK(fewest_that_fail(14042, 0.01) == 173);
  CHECK(fewest_that_fail(198, 0.05) == 20);
  CHECK(fewest_that_fail(198, 0.001) == 2);
}

TEST_CASE("verdict: seeded runs with natural loops pass, with many they fail", "[quality]") {
  std::mt19937_64 random(20260820);
  const auto share_failing = [&](int64_t n, double rate, int trials) {
    int fails = 0;
    for (int t = 0; t < trials; ++t) {
      std::binomial_distribution<int64_t> loops(n, rate);
      fails += verdict_of(run_with(n, loops(random), "repetition_loop")) == Verdict::kFail;
    }
    return static_cast<double>(fails) / trials;
  };
  for (const double rate : {0.0002, 0.003, 0.01}) {
    CAPTURE(rate);
    CHECK(share_failing(30, rate, 400) <= 0.01);
    CHECK(share_failing(198, rate, 200) <= 0.01);
    CHECK(share_failing(1319, rate, 40) <= 0.03);  // of 40: none or one
    CHECK(share_failing(14042, rate, 4) == 0);
  }
  CHECK(share_failing(30, 0.2, 400) >= 0.93);
  CHECK(share_failing(198, 0.1, 100) >= 0.95);
  CHECK(share_failing(1319, 0.03, 40) >= 0.95);
  CHECK(share_failing(14042, 0.03, 4) == 1);
}

TEST_CASE("verdict: a loop below the ceiling is shown and passes", "[quality]") {
  const Tally tally = run_with(198, 1, "repetition_loop");
  const Document report = document(tally);
  CHECK(report.at("verdict", "code").integer() == 0);
  const Document& check = check_of(report, "repetition_loop");
  CHECK(check["k"].integer() == 1);
  CHECK(check["n"].integer() == 198);
  CHECK(check["rate"].number() == Approx(1.0 / 198));
  CHECK(check["status"].text() == "pass");
  REQUIRE(report["findings"].items().size() == 1);
}

TEST_CASE("verdict: several kinds of damage, each too rare to be shown, fail a run together", "[quality]") {
  Tally tally(all_flags(), quiet());
  const char* flags[] = {"empty", "repetition_loop", "think_unclosed"};
  for (int i = 0; i < 60; ++i) {
    Answer answer(std::to_string(i));
    if (i < 6) answer.found(flags[i % 3]);
    add(&tally, answer);
  }
  const Document report = document(tally);
  CHECK(check_of(report, "empty")["status"].text() == "pass");
  CHECK(check_of(report, "broken")["status"].text() == "fail");
  CHECK(report.at("verdict", "name").text() == "fail");
}

TEST_CASE("verdict: suspected findings and those below their row's severity never count", "[quality]") {
  Tally tally(all_flags(), quiet());
  for (int i = 0; i < 100; ++i) {
    add(&tally, Answer(std::to_string(i)).found("truncated", Confidence::kSuspected).found("repetition_loop", Severity::kWarn, Confidence::kCertain).found("think_unclosed", Confidence::kSuspected));
  }
  const Document report = document(tally);
  CHECK(report.at("verdict", "name").text() == "pass");
  CHECK(check_of(report, "repetition_loop")["found"].integer() == 100);
  CHECK(check_of(report, "repetition_loop")["k"].integer() == 0);
}

TEST_CASE("verdict: a pass names what would have failed if suspicions counted, two at most", "[quality]") {
  const auto reason = [](int answers, std::initializer_list<const char*> flags) {
    Tally tally(all_flags(), quiet());
    for (int i = 0; i < 100; ++i) {
      Answer answer(std::to_string(i));
      if (i < answers) for (const char* flag : flags) answer.found(flag, Confidence::kSuspected);
      add(&tally, answer);
    }
    return document(tally).at("verdict", "reason").text();
  };
  CHECK(std::string(reason(60, {"single_token_collapse"})).find("; suspected and not counted: one symbol only 60 of 100") != std::string::npos);
  CHECK(std::string(reason(60, {"single_token_collapse", "word_salad", "script_soup"})).find(" and 1 more") != std::string::npos);
  CHECK(std::string(reason(1, {"repetition_loop"})).find("suspected") == std::string::npos);
  CHECK(std::string(reason(60, {"premature_stop"})).find("suspected") == std::string::npos);
}

TEST_CASE("verdict: mass truncation spoils the run, in the framework's own words", "[quality]") {
  Tally tally(all_flags(), quiet());
  for (int i = 0; i < 198; ++i) {
    Answer answer(std::to_string(i));
    answer.sample.set(IntField::kMaxTokens, 512);
    answer.sample.set(TextField::kFinishReason, i < 79 ? "length" : "stop");
    if (i < 79) answer.found("truncated");
    add(&tally, answer);
  }
  InputFacts facts;
  facts.format = "aisbench";
  const Document report = document(tally, facts);
  CHECK(report.at("verdict", "reason").text() == "the run is not what was asked for: 79 of 198 answers were cut at max_out_len 512");
  CHECK(report.at("verdict", "reason_zh").text() == "运行结果不完整：198 个回答中有 79 个因达到 max_out_len 512 而被截断");
  CHECK(report["lengths"]["limit"]["share"].number() == Approx(79.0 / 198));
}

TEST_CASE("verdict: failed requests are a finding about the run", "[quality]") {
  Tally tally(all_flags(), quiet());
  for (int i = 0; i < 190; ++i) add(&tally, Answer(std::to_string(i)));
  for (int i = 190; i < 198; ++i) add(&tally, Answer(std::to_string(i)).failed(i % 2 ? "timeout" : "reset"));
  const Document report = document(tally);
  CHECK(report.at("verdict", "reason").text() == "the run is not what was asked for: 8 of 198 requests failed");
  CHECK(report["errors"]["kinds"].items().size() == 2);
  CHECK(check_of(report, "empty")["n"].integer() == 190);
}

TEST_CASE("verdict: where nothing could be judged it is not checked", "[quality]") {
  CHECK(verdict_of(Tally(all_flags(), quiet())) == Verdict::kNotChecked);
  Tally forced(all_flags(), quiet());
  Answer answer("0");
  answer.sample.texts.unset(TextField::kOutputText);
  answer.judgement = {};
  answer.judgement.unknown = ~uint64_t{0};
  add(&forced, answer);
  CHECK(verdict_of(forced) == Verdict::kNotChecked);
  // All lines bad, and more bad lines than samples.
  Problems bad;
  for (int i = 0; i < 20; ++i) bad.add("f.jsonl", i + 1, "no JSON");
  InputFacts facts;
  facts.reading = &bad;
  CHECK(Tally(all_flags(), quiet()).report(facts).verdict() == Verdict::kNotChecked);
  CHECK(run_with(10, 0, "empty").report(facts).verdict() == Verdict::kNotChecked);
  CHECK(run_with(1000, 0, "empty").report(facts).verdict() == Verdict::kPass);
}

TEST_CASE("verdict: a flag in a few testable answers is held against all answers, unknown ones counted as clean", "[quality]") {
  Tally tally(all_flags(), quiet());
  for (int i = 0; i < 1000; ++i) {
    Answer answer(std::to_string(i));
    if (i < 3) answer.found("think_unclosed");
    else answer.unknown("think_unclosed");
    add(&tally, answer);
  }
  const Document report = document(tally);
  CHECK(check_of(report, "think_unclosed")["n"].integer() == 3);
  CHECK(check_of(report, "think_unclosed")["status"].text() == "pass");
}

TEST_CASE("verdict: fail_on a flag, a flag's rate, anything", "[quality]") {
  CHECK(verdict_of(run_with(198, 1, "repetition_loop", with("fail_on", "repetition_loop"))) == Verdict::kFail);
  CHECK(verdict_of(run_with(198, 0, "repetition_loop", with("fail_on", "repetition_loop"))) == Verdict::kPass);
  CHECK(verdict_of(run_with(198, 12, "repetition_loop", with("fail_on", "repetition_loop:0.2"))) == Verdict::kFail);  // still broken in 6 %
  CHECK(verdict_of(run_with(1319, 5, "repetition_loop", with("fail_on", "repetition_loop:0.0005"))) == Verdict::kFail);
  CHECK(verdict_of(run_with(198, 1, "empty", with("fail_on", "any"))) == Verdict::kFail);
  CHECK(verdict_of(run_with(198, 1, "no_final_answer", with("fail_on", "any"))) == Verdict::kPass);
  CHECK(verdict_of(run_with(198, 1, "no_final_answer", with("fail_on", "no_final_answer"))) == Verdict::kFail);
}

TEST_CASE("verdict: a required flag that could not be tested is not checked", "[quality]") {
  Tally tally(all_flags(), with("require", "think_unclosed"));
  for (int i = 0; i < 10; ++i) add(&tally, Answer(std::to_string(i)).unknown("think_unclosed"));
  const Report report = tally.report({});
  CHECK(report.verdict() == Verdict::kNotChecked);
  CHECK(report.json().find("think_unclosed is required and could not be tested on any answer") != std::string::npos);
  CHECK(verdict_of(run_with(10, 0, "empty", with("require", "think_unclosed"))) == Verdict::kPass);
}

TEST_CASE("verdict: values of options that cannot be read name key, value and what is allowed", "[quality]") {
  const std::pair<const char*, const char*> bad[] = {{"baseline", "5"}, {"baseline", "6/5"}, {"baseline", "-1/5"}, {"baseline", "0/0"}, {"baseline", "1/5 "}, {"baseline", "1/99999999999"},
      {"expect", "71.5"}, {"expect", "=71.5"}, {"expect", "accuracy=abc"}, {"expect", "accuracy=101"}, {"expect", "accuracy=71.5/0"}, {"expect", "accuracy=71.5/198x0"}, {"expect", "accuracy=-3"},
      {"fail_on", "loops"}, {"fail_on", "empty:2"}, {"fail_on", "empty:"}, {"fail_on", "empty:x"}, {"require", "loops"}};
  for (const auto& [key, value] : bad) {
    CAPTURE(key, value);
    try {
      Tally(all_flags(), with(key, value));
      FAIL("no failure");
    } catch (const Failure& failure) {
      CHECK(failure.status() == VAA_ERROR_OPTION);
      CHECK(failure.message().find(key) == 0);
      CHECK(failure.message().find(quoted(value)) != std::string::npos);
    }
  }
}

TEST_CASE("verdict: a pass says how many were broken and what rate would have shown, not that all is within its ceiling", "[quality]") {
  // 6 of 198 are 3 %, above the 2 % that healthy engines reach; the fewest that show it are 11 (Python, exact sums of binomial terms).
  CHECK(fewest_that_fail(198, 0.02) == 11);
  const Document report = document(run_with(198, 6, "repetition_loop"));
  const std::string reason = report.at("verdict", "reason").text(), zh = report.at("verdict", "reason_zh").text();
  const std::string rate = percent(check_of(report, "broken")["detectable"].number());
  CHECK(report.at("verdict", "name").text() == "pass");
  CHECK(reason == "6 of 198 answers broken: not shown to be more than healthy engines reach; broken answers at a rate of " + rate + " would have shown");
  CHECK(zh.find("198 个回答中有 6 个损坏：不足以证明多于正常引擎；若损坏比例达到 ") == 0);
  CHECK(document(run_with(198, 0, "empty")).at("verdict", "reason").text() == "nothing in 198 answers beyond what healthy engines show; broken answers at a rate of " + rate + " would have shown");
  CHECK(document(run_with(1, 0, "empty")).at("verdict", "reason").text() == "nothing in 1 answer beyond what healthy engines show; in so few, no rate would have shown");
}

TEST_CASE("verdict: the numbers that are said are those that are judged: k of all answers", "[quality]") {
  Tally tally(all_flags(), quiet());
  for (int i = 0; i < 58; ++i) {
    Answer answer(std::to_string(i));
    if (i < 5) answer.found("think_unclosed");
    else if (i >= 21) answer.unknown("think_unclosed");
    add(&tally, answer);
  }
  const Document report = document(tally);
  const Document& check = check_of(report, "think_unclosed");
  CHECK(check["n"].integer() == 21);
  CHECK(check["all"].integer() == 58);
  CHECK(check["limit"].number() == Approx(lower_limit(5, 58, fail_level(0.01))));
  CHECK(check["words"]["en"].text() == "5 of 58 answers (8.6 %, at least " + percent(check["limit"].number()) + ", 21 could be tested): above the 1 % that healthy engines reach");
  CHECK(report.at("verdict", "reason").text().find("unclosed thought 5 of 58 (8.6 %, healthy engines up to 1 %)") != std::string::npos);
}

TEST_CASE("verdict: a rate of fail_on is the caller's, not that of healthy engines", "[quality]") {
  const Document report = document(run_with(1319, 14, "repetition_loop", with("fail_on", "repetition_loop:0.002")));
  CHECK(report.at("verdict", "reason").text() == "answers are broken: looping 14 of 1,319 (1.1 %, fail_on allows 0.2 %); model or engine is not known without a reference");
  CHECK(report.at("verdict", "reason_zh").text().find("fail_on 允许 0.2%") != std::string::npos);
  CHECK(check_of(report, "repetition_loop")["ceiling_from"].text() == "fail_on");
  CHECK(check_of(report, "repetition_loop")["words"]["en"].text().find(": above the 0.2 % that fail_on allows") != std::string::npos);
  CHECK(check_of(report, "empty")["ceiling_from"].text() == "healthy");
  CHECK(check_of(report, "no_final_answer")["ceiling_from"].kind() == JsonKind::kNull);
}

TEST_CASE("verdict: a file without answers is no unreadable line, and one line is not lines", "[quality]") {
  const auto reason = [](int files, int lines) {
    Problems bad;
    for (int i = 0; i < files; ++i) bad.add("f.jsonl", 0, "is empty");
    for (int i = 0; i < lines; ++i) bad.add("f.jsonl", i + 1, "no JSON");
    InputFacts facts;
    facts.reading = &bad;
    return document(Tally(all_flags(), quiet()), facts).at("verdict", "reason").text();
  };
  CHECK(reason(1, 0) == "nothing could be read: 1 file without answers");
  CHECK(reason(0, 1) == "nothing could be read: 1 unreadable line");
  CHECK(reason(2, 3) == "nothing could be read: 3 unreadable lines, 2 files without answers");
}
