#include <cmath>

#include "catch.h"
#include "tallied.h"

using namespace vaa;
using namespace vaa::tests;

namespace {
Document against(int64_t broken, int64_t n, const char* baseline) {
  TallyOptions options = quiet();
  options.baseline = baseline;
  return document(run_with(n, broken, "empty", options));
}
Document expecting(int64_t right, int64_t n, const char* expect) {
  TallyOptions options = quiet();
  options.expect = expect;
  Tally tally(all_flags(), options);
  for (int64_t i = 0; i < n; ++i) add(&tally, Answer(std::to_string(i)).correct(i < right));
  return document(tally);
}
}  // namespace

TEST_CASE("baseline: k of n replaces the ceilings, by Fisher's one-sided test", "[quality]") {
  // 5 of 200 against 0 of 200: p = C(200,5) / C(400,5) = 0.0304 one-sided.
  const Document worse = against(5, 200, "0/200");
  CHECK(worse.at("verdict", "name").text() == "fail");
  double p = 1;
  for (int i = 0; i < 5; ++i) p *= (200.0 - i) / (400.0 - i);
  CHECK(worse["baseline"]["checks"].items()[0]["p"].number() == Approx(p).epsilon(1e-10));
  // 12 of 200 is far above the ceiling of 1 %, and no more than the baseline.
  CHECK(against(12, 200, "100/200").at("verdict", "name").text() == "pass");
  CHECK(check_of(against(12, 200, "100/200"), "empty")["gates"].truth() == false);
  // 30 clean answers leave room for several points; some hundreds do not.
  const Document open = against(0, 30, "0/100000");
  CHECK(open.at("verdict", "code").integer() == 3);
  const int64_t needed = open["baseline"]["checks"].items()[0]["n_needed"].integer();
  CHECK(needed > 300);
  CHECK(against(0, needed, "0/100000").at("verdict", "code").integer() == 0);
  CHECK(against(0, needed - 1, "0/100000").at("verdict", "code").integer() == 3);
  // Against 0 of 30 no number of answers settles a rate of 1 in 30.
  const Document never = against(1, 30, "0/30");
  CHECK(never.at("verdict", "code").integer() == 3);
  CHECK(never["baseline"]["checks"].items()[0]["n_needed"].kind() == JsonKind::kNull);
  CHECK(never.at("verdict", "reason").text().find("the baseline is too small to settle it") != std::string::npos);
}

TEST_CASE("baseline: it says how many clean answers exclude its rate", "[quality]") {
  // (1 - 9/1000)^n <= 0.05 first at n = 332.
  const Document report = against(0, 300, "9/1000");
  CHECK(report["baseline"]["clean_needed"].integer() == 332 - 1 + (std::pow(1 - 0.009, 331) > 0.05));
  CHECK(report["baseline"].at("words", "en").text().find("more are needed") != std::string::npos);
  CHECK(against(0, 400, "9/1000")["baseline"].at("words", "en").text().find("this run has them") != std::string::npos);
  CHECK(against(0, 400, "0/1000")["baseline"]["clean_needed"].kind() == JsonKind::kNull);
}

TEST_CASE("baseline: two runs of the same items are paired, in whatever order", "[quality]") {
  Tally before(all_flags(), quiet()), after(all_flags(), quiet());
  for (int i = 0; i < 100; ++i) {
    Answer old_answer(std::to_string(99 - i)), new_answer(std::to_string(i));
    if (99 - i < 2) old_answer.found("empty");
    if (i < 12) new_answer.found("empty");
    add(&before, old_answer);
    add(&after, new_answer);
  }
  after.set_baseline(&before, "old");
  const Document report = document(after);
  CHECK(report["baseline"]["pairs"].integer() == 100);
  // 10 only in the new run, none only in the old one: p = 2^-10.
  const Document& broken = report["baseline"]["checks"].items()[0];
  CHECK(broken["p"].number() == Approx(1.0 / 1024));
  CHECK(broken["effect"].number() == Approx(0.1));
  CHECK(report.at("verdict", "name").text() == "fail");
  CHECK(report["baseline"]["checks"].items()[1]["name"].text() == "empty");
}

TEST_CASE("baseline: runs of other items are compared unpaired", "[quality]") {
  Tally before(all_flags(), quiet()), after(all_flags(), quiet());
  for (int i = 0; i < 400; ++i) {
    add(&before, Answer("a" + std::to_string(i)));
    add(&after, Answer("b" + std::to_string(i)));
  }
  after.set_baseline(&before, "old");
  const Document report = document(after);
  CHECK(report["baseline"]["pairs"].integer() == 0);
  CHECK(report.at("verdict", "name").text() == "pass");
}

TEST_CASE("expect: both errors count, and a small set is undecided", "[quality]") {
  // AIME: 22 of 30 against a published 80.0 of 30: 6.7 points less, one standard error of the difference is 10.9.
  const Document aime = expecting(22, 30, "accuracy=80/30");
  CHECK(aime.at("verdict", "code").integer() == 3);
  CHECK(aime["expect"]["repeats_for_a_point"].kind() == JsonKind::kNull);  // the published number's own error is 7.3 points
  CHECK(aime["expect"]["published_error"].number() == Approx(std::sqrt(0.8 * 0.2 / 30)));
  const Document gpqa = expecting(79, 198, "accuracy=71.5/198");
  CHECK(gpqa.at("verdict", "name").text() == "fail");
  CHECK(gpqa["expect"]["check"]["effect"].number() == Approx(79.0 / 198 - 0.715));
  const Document many = expecting(9629, 10000, "accuracy=96.29/10000x10");
  CHECK(many.at("verdict", "name").text() == "pass");
}

TEST_CASE("expect: the repeats that settle a point follow from both variances", "[quality]") {
  const Document report = expecting(150, 198, "accuracy=76/198x64");
  const double own = 150.0 / 198, share = 0.76, z = 1.959963984540054 + 0.8416212335729143;
  const double left = 0.01 * 0.01 / (z * z) - share * (1 - share) / (198 * 64);
  CHECK(left < 0);
  CHECK(report["expect"]["repeats_for_a_point"].kind() == JsonKind::kNull);
  const Document large = expecting(150, 198, "accuracy=76/198x256");
  const double rest = 0.01 * 0.01 / (z * z) - share * (1 - share) / (198 * 256);
  CHECK(large["expect"]["repeats_for_a_point"].integer() == static_cast<int64_t>(std::ceil(own * (1 - own) / 198 / rest)));
}

TEST_CASE("expect: a score that is not there is not checked, and those that are there are named", "[quality]") {
  const Document report = expecting(150, 198, "pass@1=76");
  CHECK(report.at("verdict", "code").integer() == 2);
  CHECK(report.at("verdict", "reason").text().find("gsm8k/accuracy") != std::string::npos);
}

TEST_CASE("baseline: more that Holm does not confirm is not called not more", "[quality]") {
  Tally before(all_flags(), quiet()), after(all_flags(), quiet());
  for (int i = 0; i < 200; ++i) {
    Answer old_answer(std::to_string(i)), new_answer(std::to_string(i));
    if (i < 6) new_answer.found("empty");
    const char* both[] = {"repetition_loop", "think_unclosed", "replacement_char", "control_char"};
    if (i >= 100 && i < 104) {
      old_answer.found(both[i - 100]);
      new_answer.found(both[i - 100]);
    }
    add(&before, old_answer);
    add(&after, new_answer);
  }
  after.set_baseline(&before, "old");
  const Document report = document(after);
  // Six only in the new run: p = 2^-6, times six comparisons.
  for (const Document& check : report["baseline"]["checks"].items()) {
    CAPTURE(check["name"].text());
    if (check["name"].text() == "empty") {
      CHECK(check["p"].number() == Approx(1.0 / 64));
      CHECK(check["p_adjusted"].number() == Approx(6.0 / 64));
      CHECK(check["interval"].items()[0].number() > 0);
      CHECK(check["words"]["en"].text().find("not shown to be more (1 of 6 comparisons tested together)") != std::string::npos);
      CHECK(check["words"]["zh"].text().find("不足以证明多于基线（6 项比较一并检验）") != std::string::npos);
    }
    CHECK((check["name"].text() == "broken" || check["words"]["en"].text().find("not more than") == std::string::npos || check["interval"].items()[1].number() <= check["margin"].number()));
  }
}

TEST_CASE("expect: a pass gives the score in its reason", "[quality]") {
  const std::string reason = expecting(9629, 10000, "accuracy=96.29/10000x10").at("verdict", "reason").text();
  CHECK(reason.find("; score 96.29 % against 96.29 %") != std::string::npos);
  CHECK(reason.find("no drop of 1 point") != std::string::npos);
}
