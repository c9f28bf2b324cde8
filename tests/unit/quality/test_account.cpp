#include "catch.h"
#include "tallied.h"

using namespace vaa;
using namespace vaa::tests;

namespace {
int64_t wrong(const Document& report, const char* place) { return report["account"].at("wrong", place).integer(); }
}  // namespace

TEST_CASE("account: every wrong answer stands in exactly one place, the first that matches", "[quality]") {
  Tally tally(all_flags(), quiet());
  add(&tally, Answer("0").correct(false).failed("timeout"));
  add(&tally, Answer("1").correct(false).found("empty").found("no_final_answer"));
  add(&tally, Answer("2").correct(false).found("truncated").found("repetition_loop").found("think_unclosed"));
  add(&tally, Answer("3").correct(false).found("repetition_loop").found("think_unclosed").found("replacement_char"));
  add(&tally, Answer("4").correct(false).found("think_unclosed").found("control_char"));
  add(&tally, Answer("5").correct(false).found("special_token_leak").found("answer_not_extracted"));
  add(&tally, Answer("6").correct(false).found("answer_not_extracted"));
  add(&tally, Answer("7").correct(false).found("no_final_answer"));
  add(&tally, Answer("8").correct(false));
  const Document report = document(tally);
  for (const char* place : {"request_failed", "empty", "cut", "looping", "unclosed", "garbled", "not_extracted"}) {
    CAPTURE(place);
    CHECK(wrong(report, place) == 1);
  }
  CHECK(wrong(report, "well_formed") == 2);
  CHECK(wrong(report, "total") == 9);
  CHECK(wrong(report, "broken") == 7);
  CHECK(report["account"]["wrong"].at("cut_of_which", "looping").integer() == 1);
  CHECK(report["account"]["wrong"].at("cut_of_which", "unclosed").integer() == 1);
  CHECK(report["account"]["wrong"].at("well_formed_of_which", "no_final_answer").integer() == 1);
}

TEST_CASE("account: a suspected cut that a loop or an open thought explains is a loop or an open thought", "[quality]") {
  Tally tally(all_flags(), quiet());
  add(&tally, Answer("0").correct(false).found("truncated", Confidence::kSuspected).found("repetition_loop"));
  add(&tally, Answer("1").correct(false).found("truncated", Confidence::kSuspected).found("think_unclosed"));
  add(&tally, Answer("2").correct(false).found("truncated", Confidence::kSuspected));
  add(&tally, Answer("3").correct(false).found("repetition_loop", Severity::kInfo, Confidence::kCertain));
  const Document report = document(tally);
  CHECK(wrong(report, "looping") == 1);
  CHECK(wrong(report, "unclosed") == 1);
  CHECK(wrong(report, "cut") == 1);
  CHECK(report["account"]["wrong"].at("cut_of_which", "suspected").integer() == 1);
  CHECK(wrong(report, "well_formed") == 1);
}

TEST_CASE("account: right answers are cut, right by an unclosed thought, or plainly right", "[quality]") {
  Tally tally(all_flags(), quiet());
  add(&tally, Answer("0").correct(true).found("truncated").found("think_unclosed"));
  add(&tally, Answer("1").correct(true).found("truncated", Confidence::kSuspected).found("think_unclosed"));
  add(&tally, Answer("2").correct(true).found("replacement_char"));
  add(&tally, Answer("3").correct(true));
  const Document report = document(tally);
  const Document& right = report["account"]["right"];
  CHECK(right["total"].integer() == 4);
  CHECK(right["cut"].integer() == 1);
  CHECK(right["unclosed"].integer() == 1);
  CHECK(right["plain"].integer() == 2);
  CHECK(right["plain_flagged"].integer() == 1);
  CHECK(wrong(report, "total") == 0);
}

TEST_CASE("account: the places of a dataset and of all add up to its samples", "[quality]") {
  Tally tally(all_flags(), quiet());
  const char* flags[] = {"empty", "truncated", "repetition_loop", "think_unclosed", "replacement_char", "answer_not_extracted", "no_final_answer"};
  for (int i = 0; i < 500; ++i) {
    Answer answer(std::to_string(i), i % 3 ? "a" : "b");
    if (i % 7) answer.found(flags[i % 7]);
    if (i % 5) answer.correct(i % 2);
    if (i % 11 == 0) answer.failed("no");
    add(&tally, answer);
  }
  const Document report = document(tally);
  const auto total = [](const Document& account) {
    int64_t sum = 0;
    for (const char* kind : {"wrong", "unscored"}) {
      int64_t places = 0;
      for (const auto& [name, value] : account[kind].members()) {
        if (name != "total" && name != "broken" && value.kind() == JsonKind::kNumber) places += value.integer();
      }
      CHECK(places == account.at(kind, "total").integer());
      sum += places;
    }
    const Document& right = account["right"];
    CHECK(right["cut"].integer() + right["unclosed"].integer() + right["plain"].integer() == right["total"].integer());
    return sum + right["total"].integer();
  };
  CHECK(total(report["account"]) == 500);
  for (const Document& dataset : report["account"]["datasets"].items()) CHECK(total(dataset) == dataset["samples"].integer());
}

TEST_CASE("account: without scores it is over all answers, and the command that adds them is given", "[quality]") {
  RunHeader header;
  header.add_scores_command = "ais_bench --mode eval --dump-eval-details";
  InputFacts facts;
  facts.header = &header;
  facts.format = "aisbench";
  Tally tally(all_flags(), quiet());
  add(&tally, Answer("0").found("repetition_loop"));
  add(&tally, Answer("1"));
  add(&tally, Answer("2").correct(false).failed("500"));  // that it counts as wrong is no score per answer
  const Document report = document(tally, facts);
  CHECK(wrong(report, "total") == 0);
  CHECK(report["account"].at("unscored", "looping").integer() == 1);
  CHECK(report["account"].at("unscored", "well_formed").integer() == 1);
  CHECK(report["account"].at("unscored", "request_failed").integer() == 1);
  bool said = false;
  for (const Document& limit : report["limits"].items()) said = said || limit["next"].text() == header.add_scores_command;
  CHECK(said);
}

TEST_CASE("account: a place whose flag is unknown, or is not looked for, says how many may belong there", "[quality]") {
  Tally tally(all_flags(), quiet());
  add(&tally, Answer("0").correct(false).unknown("truncated"));
  add(&tally, Answer("1").correct(false).unknown("truncated").found("repetition_loop"));
  add(&tally, Answer("2").correct(false).unknown("think_unclosed").found("truncated"));  // already cut
  add(&tally, Answer("3").correct(true).unknown("truncated").unknown("low_logprob"));  // other flags of damage could be tested
  add(&tally, Answer("4").correct(false).failed("timeout"));
  const Document report = document(tally);
  const Document& account = report["account"];
  CHECK(account["wrong"].at("unknown", "cut").integer() == 2);
  CHECK(account["wrong"].at("unknown", "unclosed").integer() == 0);
  CHECK(account["wrong"].at("well_formed_of_which", "cut_unknown").integer() == 1);
  CHECK(account["right"].at("unknown", "cut").integer() == 1);
  CHECK(account["right"].at("unknown", "garbled").integer() == 0);
  const Checker loops(R"({"flags":["repetition_loop","counter_loop","low_diversity"]})", nullptr);
  Tally few(loops, quiet());
  add(&few, Answer("0").correct(false));
  const Document restricted = document(few);
  const Document& unknown = restricted["account"]["wrong"]["unknown"];
  for (const char* place : {"empty", "cut", "unclosed", "garbled", "not_extracted"}) {
    CAPTURE(place);
    CHECK(unknown[place].integer() == 1);
  }
  CHECK(unknown["looping"].integer() == 0);
}
