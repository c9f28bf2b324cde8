#include <algorithm>
#include <random>

#include "catch.h"
#include "tallied.h"

using namespace vaa;
using namespace vaa::tests;

namespace {

std::vector<Answer> mixed_run(int n) {
  const char* flags[] = {"empty", "truncated", "repetition_loop", "think_unclosed", "replacement_char", "answer_not_extracted", "no_final_answer"};
  std::vector<Answer> answers;
  for (int i = 0; i < n; ++i) {
    Answer answer(std::to_string(i / 2), i % 3 ? "a" : "b", i % 2);
    if (i % 13 < 7) answer.found(flags[i % 13]);
    answer.judgement.output_tokens = i * 7 % 501;
    answer.correct(i % 4 == 0);
    answer.sample.set(RealField::kScoreValue, 0.1 * (i % 11));
    if (i % 17 == 0) answer.failed(i % 2 ? "timeout" : "reset");
    answers.push_back(answer);
  }
  return answers;
}

// The document without what is in input order.
std::string without_shown(const std::string& json) {
  const size_t begin = json.find("\"findings\": ["), end = json.find("\"problems\"");
  return json.substr(0, begin) + json.substr(end);
}

}  // namespace

TEST_CASE("tally: the report is the same for any order of input", "[quality]") {
  std::vector<Answer> answers = mixed_run(700);
  std::mt19937_64 random(7);
  std::string first;
  for (int round = 0; round < 4; ++round) {
    Tally tally(all_flags(), quiet());
    for (const Answer& answer : answers) add(&tally, answer);
    const std::string document = without_shown(tally.report({}).json());
    if (round == 0) first = document;
    CHECK(document == first);
    std::shuffle(answers.begin(), answers.end(), random);
  }
}

TEST_CASE("tally: what is shown is bounded, and every flag has its worst", "[quality]") {
  TallyOptions options;
  options.max_rows = 50;
  Tally tally(all_flags(), options);
  for (int i = 0; i < 5000; ++i) {
    Answer answer(std::to_string(i));
    answer.found("repetition_loop");
    if (i == 4999) answer.found("control_char");
    add(&tally, answer);
  }
  const Report report = tally.report({});
  const Document document = Document::parse(report.json());
  CHECK(document["findings"].items().size() == 21);
  CHECK(document["findings"].items()[0]["id"].text() == "0");
  CHECK(document["findings"].items()[20]["flag"].text() == "control_char");
  CHECK(std::count(report.sample_lines().begin(), report.sample_lines().end(), '\n') == 50);
}

TEST_CASE("tally: numbers of the document and columns of its tables are read without parsing", "[quality]") {
  const Report report = run_with(198, 3, "repetition_loop").report({});
  CHECK(report.number("/counts/samples") == 198);
  CHECK(report.number("/verdict/code") == 0);
  CHECK(report.number("/checks/0/k") == 3);
  CHECK(report.column("checks", "k")[0] == 3);
  CHECK(report.column("datasets", "samples") == std::vector<double>{198});
  CHECK(report.column("lengths", "characters").size() == report.column("lengths", "from").size());
}

TEST_CASE("tally: lengths are ranked, tokens before characters", "[quality]") {
  Tally tally(all_flags(), quiet());
  for (int i = 1; i <= 100; ++i) {
    Answer answer(std::to_string(i));
    answer.judgement.output_tokens = 101 - i;
    add(&tally, answer);
  }
  const Document report = document(tally);
  const Document& tokens = report["lengths"]["tokens"];
  CHECK(report["lengths"]["unit"].text() == "tokens");
  CHECK(tokens["p50"].integer() == 50);
  CHECK(tokens["p90"].integer() == 90);
  CHECK(tokens["p99"].integer() == 99);
  CHECK(tokens["longest"].integer() == 100);
  CHECK(tokens["mean"].number() == Approx(50.5));
  int64_t sum = 0;
  for (const Document& bucket : tokens["histogram"].items()) sum += bucket["count"].integer();
  CHECK(sum == 100);
}

TEST_CASE("tally: without text no text of prompts, outputs, errors or scores is anywhere", "[quality]") {
  const std::string secret = "SECRET-TEXT";
  TallyOptions options;
  options.text = false;
  Tally tally(all_flags(), options);
  Answer answer("0");
  for (const TextField field : {TextField::kPromptText, TextField::kPromptMessages, TextField::kOutputText, TextField::kOutputReasoning, TextField::kScoreGold, TextField::kScoreExtracted,
                                TextField::kExtra, TextField::kToolCalls, TextField::kStopReason}) {
    answer.sample.set(field, secret);
  }
  answer.found("repetition_loop").found("control_char");
  add(&tally, answer);
  add(&tally, Answer("1").failed((secret + " in an error").c_str()));
  Problems problems;
  problems.add("f.jsonl", 3, "prediction: \"" + secret + "\" is no number");
  InputFacts facts;
  facts.reading = &problems;
  const Report report = tally.report(facts);
  CHECK(report.json().find(secret) == std::string::npos);
  CHECK(report.sample_lines().find(secret) == std::string::npos);
  TallyOptions shown = options;
  shown.text = true;
  Tally open(all_flags(), shown);
  add(&open, answer);
  CHECK(open.report({}).json().find(secret) != std::string::npos);
}

TEST_CASE("tally: ids, datasets and errors of hostile length and kind stay bounded", "[quality]") {
  Tally tally(all_flags(), TallyOptions());
  const std::string long_name(size_t{1} << 20, 'x');
  for (int i = 0; i < 3000; ++i) add(&tally, Answer(i ? std::to_string(i) : long_name, (i ? "d" + std::to_string(i) : long_name)).found("empty"));
  add(&tally, Answer("e").failed(long_name.c_str()));
  const Report report = tally.report({});
  CHECK(report.json().size() < 4'000'000);
  CHECK(report.number("/counts/datasets") == 2001);
  const Document document = Document::parse(report.json());
  CHECK(document["account"]["datasets"].items().back()["dataset"].text() == "(others)");
  CHECK(document["account"]["datasets"].items().back()["samples"].integer() == 3001 - 2000);
}

TEST_CASE("tally: duplicates are counted and said", "[quality]") {
  Tally tally(all_flags(), quiet());
  for (int i = 0; i < 3; ++i) add(&tally, Answer("7"));
  add(&tally, Answer("7", "gsm8k", 1));
  const Document report = document(tally);
  CHECK(report["counts"]["duplicates"].integer() == 2);
  CHECK(report["counts"]["questions"].integer() == 1);
}
