#include <cmath>

#include "catch.h"
#include "stats/means.h"
#include "tallied.h"

using namespace vaa;
using namespace vaa::tests;

namespace {
InputFacts facts_of(const RunHeader& header, const char* format) {
  InputFacts facts;
  facts.header = &header;
  facts.format = format;
  return facts;
}
}  // namespace

TEST_CASE("score: the mean and its standard error as lm-eval gives them", "[quality]") {
  // results_*.json of a real lm-eval run of 10 answers, 3 right: exact_match 0.3, stderr 0.1527525231651947.
  RunHeader header;
  header.scores.push_back({"gsm8k", "exact_match,strict-match", 0.3, 10, false, ""});
  Tally tally(all_flags(), quiet());
  for (int i = 0; i < 10; ++i) add(&tally, Answer(std::to_string(i)).correct(i < 3));
  const Document report = document(tally, facts_of(header, "lm_eval"));
  const Document& score = report["score"].items()[0];
  CHECK(score["value"].number() == Approx(0.3).epsilon(1e-12));
  CHECK(score["error"].number() == Approx(0.1527525231651947).epsilon(1e-12));
  CHECK(score.at("file", "value").there() == false);  // accuracy is another metric than exact_match
  CHECK(score["equals_file"].kind() == JsonKind::kNull);
}

TEST_CASE("score: failed requests count as wrong in AISBench, and a file's score that differs is said", "[quality]") {
  RunHeader header;
  header.scores.push_back({"gsm8k", "accuracy", 60.0, 10, true, ""});
  Tally tally(all_flags(), quiet());
  for (int i = 0; i < 9; ++i) add(&tally, Answer(std::to_string(i)).correct(i < 6));
  add(&tally, Answer("9").failed("Internal Server Error"));
  const Document equal = document(tally, facts_of(header, "aisbench"));
  CHECK(equal["score"].items()[0]["value"].number() == Approx(0.6));
  CHECK(equal["score"].items()[0]["equals_file"].truth());
  CHECK(equal["score"].items()[0]["if_broken_were_right"].number() == Approx(0.7));
  CHECK(equal["account"].at("wrong", "request_failed").integer() == 1);
  const Document other = document(tally, facts_of(header, "lm_eval"));
  CHECK(other["score"].items()[0]["value"].number() == Approx(6.0 / 9));
  CHECK_FALSE(other["score"].items()[0]["equals_file"].truth());
  CHECK(other["score"].items()[0]["equals_file"].kind() == JsonKind::kBool);
}

TEST_CASE("score: repeats are clustered by question", "[quality]") {
  // 20 questions, 3 answers each, all alike within a question, 12 questions right: the spread is that of 20 answers, not of 60.
  Tally tally(all_flags(), quiet());
  for (int q = 0; q < 20; ++q) {
    for (int r = 0; r < 3; ++r) add(&tally, Answer(std::to_string(q), "gsm8k", r).correct(q < 12));
  }
  const Document report = document(tally);
  const Document& score = report["score"].items()[0];
  const double m = 0.6, n = 60;
  const double plain = m * (1 - m) / (n - 1);               // s^2 / n with divisor n - 1
  const double within = 6 * (12 * 0.16 + 8 * 0.36) / n / n;  // the sum over i != j of 3 equal deviations is 6 d^2
  CHECK(score["value"].number() == Approx(0.6));
  CHECK(score["error"].number() == Approx(std::sqrt(plain + within)).epsilon(1e-12));
  std::vector<double> values;
  std::vector<int64_t> clusters;
  for (int i = 0; i < 60; ++i) {
    values.push_back(i / 3 < 12);
    clusters.push_back(i / 3);
  }
  CHECK(score["error"].number() == Approx(stats::mean_clustered(values, clusters).standard_error).epsilon(1e-12));
  CHECK(score["questions"].integer() == 20);
  CHECK(report["counts"]["repeats"].integer() == 3);
}

TEST_CASE("score: C-Eval is the mean of its subjects, whatever their sizes", "[quality]") {
  RunHeader header;
  header.scores.push_back({"ceval", "accuracy", 62.5, 0, true, "ceval"});
  Tally tally(all_flags(), quiet());
  for (int i = 0; i < 4; ++i) add(&tally, Answer(std::to_string(i), "ceval-law").correct(i < 1));         // 0.25
  for (int i = 0; i < 20; ++i) add(&tally, Answer(std::to_string(i), "ceval-logic").correct(true));       // 1
  const Document report = document(tally, facts_of(header, "aisbench"));
  const Document* mean = nullptr;
  for (const Document& score : report["score"].items()) {
    if (score["subjects"].integer() == 2) mean = &score;
  }
  REQUIRE(mean);
  CHECK((*mean)["dataset"].text() == "ceval");
  CHECK((*mean)["value"].number() == Approx(0.625));
  CHECK((*mean)["error"].number() == Approx(std::sqrt(0.25 * 0.75 / 3) / 2));  // of the first subject; the second has none
  CHECK((*mean)["equals_file"].truth());
}

TEST_CASE("score: the upper bound takes every broken answer as right and never leaves one out", "[quality]") {
  Tally tally(all_flags(), quiet());
  for (int i = 0; i < 10; ++i) {
    Answer answer(std::to_string(i));
    answer.correct(i < 5);
    if (i >= 7) answer.found("truncated");
    add(&tally, answer);
  }
  const Document report = document(tally);
  CHECK(report["score"].items()[0]["value"].number() == Approx(0.5));
  CHECK(report["score"].items()[0]["if_broken_were_right"].number() == Approx(0.8));
  CHECK(report["score"].items()[0]["broken"].integer() == 3);
}

TEST_CASE("score: values that are no shares are shown as they are", "[quality]") {
  Tally tally(all_flags(), quiet());
  for (int i = 0; i < 4; ++i) {
    Answer answer(std::to_string(i));
    answer.sample.set(RealField::kScoreValue, 10.0 + i);
    answer.sample.set(TextField::kScoreMetric, "bleu");
    add(&tally, answer);
  }
  const Document report = document(tally);
  const Document& score = report["score"].items()[0];
  CHECK(score["value"].number() == Approx(11.5));
  CHECK_FALSE(score["share"].truth());
  CHECK(report["account"].at("unscored", "well_formed").integer() == 4);
}

TEST_CASE("score: answers that the files count and the samples lack are missing", "[quality]") {
  RunHeader header;
  header.scores.push_back({"gsm8k", "accuracy", 60.0, 198, true, ""});
  Tally tally(all_flags(), quiet());
  for (int i = 0; i < 190; ++i) add(&tally, Answer(std::to_string(i)).correct(i % 2));
  const Report report = tally.report(facts_of(header, "aisbench"));
  CHECK(report.number("/counts/missing") == 8);
  CHECK(report.verdict() == Verdict::kFail);
  CHECK(report.json().find("the score is not valid: 8 of 198 answers are missing") != std::string::npos);
}
