#include "stats/survival.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "catch.h"
#include "reference.h"
#include "stats/distributions.h"

using namespace vaa::stats;
using vaa::test::evidence_cases;
using vaa::test::message_of;
using vaa::test::Tree;
using vaa::test::verification_group;

namespace {

struct Group {
  std::vector<double> entries, exits;
  std::vector<uint8_t> events;
  Subjects subjects() const { return {entries, exits, events}; }
};

Group group_of(const Tree& c, const std::string& number, bool late) {
  return {late ? c.reals("entries" + number) : std::vector<double>(), c.reals("exits" + number), c.flags("events" + number)};
}

void check_steps(const SurvivalCurve& curve, const std::vector<std::vector<double>>& rows, double relative) {
  REQUIRE(curve.steps.size() == rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    const SurvivalStep& step = curve.steps[i];
    CHECK(step.time == rows[i][0]);
    CHECK(static_cast<double>(step.at_risk) == rows[i][1]);
    CHECK(static_cast<double>(step.events) == rows[i][2]);
    CHECK_CLOSE(step.survival, rows[i][3], relative);
    CHECK_CLOSE(step.standard_error, rows[i][4], relative);
    CHECK_CLOSE(step.hazard, rows[i][5], relative);
  }
}

}  // namespace

TEST_CASE("survival: curve, restricted mean and log-rank against exact fractions", "[stats]") {
  for (const Tree& c : evidence_cases("survival")) {
    const bool late = c.real("late") != 0;
    const Group first = group_of(c, "1", late), second = group_of(c, "2", late);
    INFO(first.exits.size() << " and " << second.exits.size() << " subjects, late " << late);
    const SurvivalCurve curve = kaplan_meier(first.subjects());
    std::vector<std::vector<double>> rows;
    for (const Tree& row : c["rows"].items) {
      rows.emplace_back();
      for (const Tree& cell : row.items) rows.back().push_back(cell.number);
    }
    check_steps(curve, rows, 1e-14);
    CHECK(curve.median == c.real("median"));
    const RestrictedMean mean = restricted_mean(first.subjects(), c.real("horizon"));
    CHECK_CLOSE(mean.mean, c.real("mean"), 1e-14);
    CHECK_CLOSE(mean.standard_error, c.real("mean_error"), 1e-14);
    const LogRank test = log_rank(first.subjects(), second.subjects());
    CHECK(test.observed == c.count("observed"));
    CHECK_CLOSE(test.expected, c.real("expected"), 1e-14);
    CHECK_CLOSE(test.variance, c.real("variance"), 1e-14);
    CHECK_CLOSE(test.chi2, c.real("chi2"), 1e-12);
    CHECK_CLOSE(test.p, c.real("p"), 1e-12);
  }
}

TEST_CASE("survival: the vectors of Kaplan-Meier and log-rank", "[stats]") {
  for (const Tree& vector : verification_group("kaplan_meier")) {
    const Tree &inputs = vector["inputs"], &expected = vector["expected"];
    const bool late = inputs.find("entry") != nullptr;
    const Group group = {late ? inputs.reals("entry") : std::vector<double>(), inputs.reals(late ? "exit" : "time"), inputs.flags("event")};
    const SurvivalCurve curve = kaplan_meier(group.subjects());
    std::vector<std::vector<double>> rows;
    for (const Tree& row : expected["rows"].items)
      rows.push_back({row.real("t"), row.real("at_risk"), row.real("events"), row.real("S"), row.real("greenwood_se"), row.real("nelson_aalen")});
    check_steps(curve, rows, 1e-14);
    if (expected.find("median")) CHECK(curve.median == expected.real("median"));
    if (expected.find("rmst_35")) CHECK_CLOSE(restricted_mean(group.subjects(), 35).mean, expected.real("rmst_35"), 1e-14);
  }
  for (const Tree& vector : verification_group("log_rank")) {
    const Tree &inputs = vector["inputs"], &expected = vector["expected"];
    const Group first = {{}, inputs.reals("time1"), inputs.flags("event1")}, second = {{}, inputs.reals("time2"), inputs.flags("event2")};
    const LogRank test = log_rank(first.subjects(), second.subjects());
    CHECK(test.observed == expected.count("observed1"));
    CHECK_CLOSE(test.expected, expected.real("expected1"), 1e-14);
    CHECK_CLOSE(test.variance, expected.real("variance"), 1e-14);
    CHECK_CLOSE(test.chi2, expected.real("chi2"), 1e-13);
    CHECK_CLOSE(test.p, expected.real("p"), 1e-12);
    CHECK(kaplan_meier(first.subjects()).median == expected.real("median1"));
    CHECK(kaplan_meier(second.subjects()).median == expected.real("median2"));
  }
}

TEST_CASE("survival: without censoring the curve is the share that is left", "[stats]") {
  for (int n : {1, 2, 7, 10, 64, 99}) {
    Group group;
    for (int i = 0; i < n; ++i) group.exits.push_back((i * 37) % n);
    group.events.assign(group.exits.size(), 1);
    const SurvivalCurve curve = kaplan_meier(group.subjects());
    for (const SurvivalStep& step : curve.steps) {
      const double left = static_cast<double>(std::count_if(group.exits.begin(), group.exits.end(), [&](double t) { return t > step.time; }));
      CHECK_CLOSE(step.survival, left / n, 1e-15);
      if (left > 0) CHECK_CLOSE(step.standard_error, std::sqrt(left / n * (1 - left / n) / n), 1e-13);  // the binomial one
    }
    CHECK(std::isnan(curve.steps.back().standard_error));
  }
}

TEST_CASE("survival: an early entry changes nothing, a late one takes away the risk before it", "[stats]") {
  const std::vector<double> exits = {5, 8, 8, 12}, early = {-1, -1, 4, -3}, late = {-1, -1, 5, -1};
  const std::vector<uint8_t> events = {1, 1, 0, 1};
  const SurvivalCurve plain = kaplan_meier({{}, exits, events}), same = kaplan_meier({early, exits, events}), other = kaplan_meier({late, exits, events});
  for (size_t i = 0; i < plain.steps.size(); ++i) CHECK(plain.steps[i].survival == same.steps[i].survival);
  CHECK(other.steps[0].at_risk == 3);  // who enters at 5 is at risk after 5
  CHECK(other.steps[1].at_risk == 3);
}

TEST_CASE("survival: log-rank is symmetric and knows no difference between copies", "[stats]") {
  const Group a = {{}, {1, 4, 4, 9, 12}, {1, 1, 0, 1, 0}}, b = {{}, {2, 3, 8}, {1, 1, 1}};
  const LogRank one = log_rank(a.subjects(), b.subjects()), two = log_rank(b.subjects(), a.subjects());
  CHECK_CLOSE(one.chi2, two.chi2, 1e-14);
  CHECK_CLOSE(one.p, two.p, 1e-14);
  const LogRank same = log_rank(a.subjects(), a.subjects());
  CHECK(same.chi2 == 0);
  CHECK(same.p == 1);
  const Group censored = {{}, {3, 4}, {0, 0}};
  const LogRank nothing = log_rank(censored.subjects(), censored.subjects());
  CHECK(nothing.variance == 0);
  CHECK(nothing.p == 1);
  CHECK(kaplan_meier(censored.subjects()).steps.empty());
  CHECK(std::isinf(kaplan_meier(censored.subjects()).median));
}

TEST_CASE("survival: any order of the subjects gives the same bits", "[stats]") {
  std::mt19937_64 random(4);
  std::vector<std::pair<double, uint8_t>> items(300);
  for (auto& [exit, event] : items) {
    exit = std::ldexp(static_cast<double>(random() >> 11), -45);
    event = random() % 3 != 0;
  }
  SurvivalCurve first;
  for (int round = 0; round < 5; ++round) {
    Group group;
    for (const auto& [exit, event] : items) {
      group.exits.push_back(exit);
      group.events.push_back(event);
    }
    const SurvivalCurve now = kaplan_meier(group.subjects());
    if (round == 0) first = now;
    for (size_t i = 0; i < now.steps.size(); ++i) {
      REQUIRE(now.steps[i].survival == first.steps[i].survival);
      REQUIRE(now.steps[i].hazard == first.steps[i].hazard);
    }
    std::shuffle(items.begin(), items.end(), random);
  }
}

TEST_CASE("survival: what is out of range is named", "[stats]") {
  const std::vector<double> exits = {3, std::nan("")}, good = {3, 4}, entries = {1, 4};
  const std::vector<uint8_t> events = {1, 0}, flags = {1, 2}, one = {1};
  CHECK(message_of([&] { kaplan_meier({{}, exits, events}); }) == "kaplan_meier: exits[1] is nan, must be at most 1e+140 in size");
  CHECK(message_of([&] { kaplan_meier({{}, {}, {}}); }) == "kaplan_meier: the size of exits is 0, must be at least 1");
  CHECK(message_of([&] { kaplan_meier({{}, good, one}); }) == "kaplan_meier: the size of events is 1, must be at least 2");
  CHECK(message_of([&] { kaplan_meier({{}, good, flags}); }) == "kaplan_meier: events[1] is 2, must be 0 or 1");
  CHECK(message_of([&] { kaplan_meier({entries, good, events}); }) == "kaplan_meier: entries[1] is 4, must be below 4 and finite");
  CHECK(message_of([&] { restricted_mean({{}, good, events}, 5); }) == "restricted_mean: horizon is 5, must be at most 4 and finite");
  CHECK(message_of([&] { restricted_mean({{}, good, events}, 0); }) == "restricted_mean: horizon is 0, must be above 0 and finite");
  CHECK(message_of([&] { log_rank({{}, good, events}, {{}, good, one}); }) == "log_rank: second group: the size of events is 1, must be at least 2");
}
