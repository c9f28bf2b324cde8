// Groups of flagged samples: a planted association is found with its exact p, chance is not taken for one.
#include <algorithm>
#include <cmath>

#include "catch.h"
#include "simulated.h"

using namespace vaa;
using namespace vaa::tests;

namespace {

double log_choose(double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); }

const Document& group_of(const Document& report, std::string_view about, std::string_view key, std::string_view value) {
  for (const Document& row : report.at("groups", "rows").items()) {
    if (row["about"].text() == about && row["key"].text() == key && row["value"].text() == value) return row;
  }
  return report["none"];
}
void break_answer(Sample* sample) { sample->set(TextField::kOutputText, "\xEF\xBF\xBD\xEF\xBF\xBD " + std::string(sample->text(TextField::kOutputText))); }

}  // namespace

TEST_CASE("groups: broken answers of one rank are an association, with Fisher's p", "[quality]") {
  Simulated run(5);
  run.questions(400, 1);
  int on_rank = 0, broken = 0;
  for (Sample& sample : run.samples) {
    if (sample.integer(IntField::kRank, 0) != 3) continue;
    if (++on_rank % 2 == 0) {
      break_answer(&sample);
      ++broken;
    }
  }
  break_answer(&run.samples[static_cast<size_t>(std::find_if(run.samples.begin(), run.samples.end(), [](const Sample& s) { return s.integer(IntField::kRank, 0) != 3; }) - run.samples.begin())]);
  const Document report = run.report();
  const Document& group = group_of(report, "broken", "rank", "3");
  REQUIRE(group.there());
  CHECK(group["k"].integer() == broken);
  CHECK(group["all_k"].integer() == broken + 1);
  CHECK(group["n"].integer() == on_rank);
  CHECK(group["all"].integer() == 400);
  CHECK(group["base"].number() == Approx(static_cast<double>(on_rank - broken) / (400 - broken - 1)));
  double p = 0;
  for (int i = broken; i <= broken + 1; ++i) p += std::exp(log_choose(on_rank, i) + log_choose(400 - on_rank, broken + 1 - i) - log_choose(400, broken + 1));
  CHECK(group["p"].number() == Approx(p).epsilon(1e-9));
  // Two subjects have it, broken and replacement_char, so it is the second smallest at most: p x tried / 2.
  CHECK(group["p_adjusted"].number() == Approx(p * report.at("groups", "tried").number() / 2).epsilon(1e-9));
  CHECK(group["most"].truth());
  CHECK(group["words"]["en"].text().find("association") != std::string::npos);
  // All that is broken has the one flag: its row says the same of the same samples.
  CHECK_FALSE(group["same_as"].there());
  CHECK(group_of(report, "replacement_char", "rank", "3")["same_as"].text() == "broken by rank 3");
  CHECK_FALSE(group_of(report, "replacement_char", "rank", "2")["same_as"].text() == "broken by rank 3");
}

TEST_CASE("groups: a length of the prompt modulo 16 that breaks answers is found", "[quality]") {
  Simulated run(6);
  run.questions(600, 1);
  for (Sample& sample : run.samples) {
    if (sample.integer(IntField::kPromptTokens, 0) % 16 == 5) break_answer(&sample);
  }
  const Document report = run.report();
  const Document& group = group_of(report, "replacement_char", "prompt_tokens_mod_16", "5");
  CHECK(group["most"].truth());
  CHECK(group["k"].integer() == group["n"].integer());
}

TEST_CASE("groups: flags at random explain nothing in 100 runs", "[quality]") {
  int false_alarms = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    Simulated run(seed);
    run.questions(100, 2);
    for (Sample& sample : run.samples) {
      if (run.random()() % 10 == 0) break_answer(&sample);
    }
    const Document report = run.report();
    CHECK(report.at("groups", "tried").integer() > 100);
    for (const Document& row : report.at("groups", "rows").items()) false_alarms += row["most"].truth() && std::string(row["key"].text()).rfind("onset", 0) != 0;
  }
  CHECK(false_alarms <= 1);  // 1 % of the runs
}

TEST_CASE("groups: where findings begin is held against a place by chance in the answers", "[quality]") {
  Simulated run(8);
  run.questions(60, 1);
  for (size_t i = 0; i < 12; ++i) {
    std::string text(run.samples[i].text(TextField::kOutputText));
    while (text.size() < 600) text += " " + run.sentence();
    run.samples[i].set(TextField::kOutputText, text.substr(0, 520) + "\xEF\xBF\xBD\xEF\xBF\xBD" + text.substr(520) + run.sentence());
  }
  const Document report = run.report();
  const Document& group = group_of(report, "broken", "onset_char", "512–1,023");
  CHECK(group["k"].integer() == 12);
  CHECK_FALSE(group["n"].there());
  double share = 0;
  for (size_t i = 0; i < 12; ++i) {
    const double length = static_cast<double>(run.samples[i].text(TextField::kOutputText).size() - 4);  // two characters of three bytes
    share += std::min(512.0, length - 512) / length / 12;
  }
  CHECK(group["base"].number() == Approx(share).epsilon(1e-9));
  CHECK(group["p"].number() == Approx(std::pow(share, 12)).epsilon(1e-9));
}

TEST_CASE("groups: loops of one unit are counted wherever they are entered, without a p", "[quality]") {
  Simulated run(9);
  run.questions(60, 1);
  const std::string unit = "and then it goes around once more, ";
  for (size_t i = 0; i < 6; ++i) {
    std::string loop;
    for (int k = 0; k < 30; ++k) loop += unit;
    run.samples[i].set(TextField::kOutputText, "Well. " + loop.substr(i * 5, 900 + i));
    run.samples[i].set(TextField::kFinishReason, "length");
  }
  const Document report = run.report();
  for (const Document& row : report.at("groups", "rows").items()) {
    if (row["key"].text() != "unit" || row["about"].text() != "repetition_loop") continue;
    CHECK(row["k"].integer() == 6);
    CHECK_FALSE(row["p"].there());
    CHECK_FALSE(row["most"].truth());
    CHECK(row["value"].text().size() == unit.size());
    return;
  }
  FAIL("no group of the unit");
}

TEST_CASE("groups: without text a unit is a hash", "[quality]") {
  Simulated run(10);
  run.questions(30, 1);
  for (size_t i = 0; i < 5; ++i) {
    std::string loop;
    for (int k = 0; k < 40; ++k) loop += "secret words again and ";
    run.samples[i].set(TextField::kOutputText, loop);
  }
  TallyOptions options = quiet();
  options.text = false;
  const Document report = run.report(options);
  bool found = false;
  for (const Document& row : report.at("groups", "rows").items()) {
    found = found || row["key"].text() == "unit";
    CHECK(row["value"].text().find("secret") == std::string::npos);
  }
  CHECK(found);
}

TEST_CASE("groups: fewer than 5 flagged samples are grouped by nothing", "[quality]") {
  Simulated run(12);
  run.questions(50, 1);
  for (size_t i = 0; i < 4; ++i) break_answer(&run.samples[i]);
  const Document report = run.report();
  CHECK(report.at("groups", "tried").integer() == 0);
  CHECK(report.at("groups", "rows").items().empty());
}
