#include <cmath>

#include "compare/recorded_settings.h"
#include "compared.h"

using namespace vaa;

namespace {

// Newcombe 1998, method 10, with the corrected phi: of (only target, only reference).
std::pair<double, double> newcombe(double a, double b, double c, double d) {
  const double n = a + b + c + d, z = 1.959963984540054;
  const auto wilson = [&](double k, double sign) { return (k + z * z / 2 + sign * z * std::sqrt(k * (n - k) / n + z * z / 4)) / (n + z * z); };
  const double p1 = (a + b) / n, p2 = (a + c) / n;
  const double l1 = wilson(a + b, -1), u1 = wilson(a + b, 1), l2 = wilson(a + c, -1), u2 = wilson(a + c, 1);
  const double A = (a + b) * (c + d) * (a + c) * (b + d), B = a * d - b * c;
  const double C = B > n / 2 ? B - n / 2 : B >= 0 ? 0 : B;
  const double phi = A > 0 ? C / std::sqrt(A) : 0;
  const double low = std::sqrt(std::pow(p1 - l1, 2) - 2 * phi * (p1 - l1) * (u2 - p2) + std::pow(u2 - p2, 2));
  const double high = std::sqrt(std::pow(p2 - l2, 2) - 2 * phi * (p2 - l2) * (u1 - p1) + std::pow(u1 - p1, 2));
  return {p1 - p2 - low, p1 - p2 + high};
}

Answers repeated(const std::vector<int>& right_of_two) {
  Answers out;
  for (size_t q = 0; q < right_of_two.size(); ++q) {
    for (int r = 0; r < 2; ++r) out.push_back({std::to_string(q), r < right_of_two[q], "The answer is " + std::to_string(q) + ".", r});
  }
  return out;
}

}  // namespace

TEST_CASE("score: one answer each is McNemar's exact test with Newcombe's interval", "[compare]") {
  const auto [reference, target] = answered({60, 9, 1, 30});
  const Comparing c(reference, target);
  CHECK(c.number("score", "effect") == Approx(-0.08));
  CHECK(c.number("score", "p") == Approx(0.021484375));  // 2 P(Bin(10, 1/2) <= 1)
  const auto [low, high] = newcombe(60, 1, 9, 30);
  CHECK(c.bound("score", 0) == Approx(low).epsilon(1e-12));
  CHECK(c.bound("score", 1) == Approx(high).epsilon(1e-12));
}

TEST_CASE("score: repeats give paired question means with a t interval", "[compare]") {
  const Comparing c(repeated({2, 1, 1, 0, 2, 1, 2, 2, 0, 1}), repeated({1, 1, 0, 0, 2, 1, 1, 2, 0, 0}));
  // scipy.stats.ttest_rel of the means
  CHECK(c.number("score", "effect") == Approx(-0.2));
  CHECK(c.number("score", "p") == Approx(0.036787497879786156));
  CHECK(c.bound("score", 0) == Approx(-0.38470435889459));
  CHECK(c.bound("score", 1) == Approx(-0.015295641105410068));
  CHECK(c.number("score", "n") == 10);
}

TEST_CASE("score: questions for a change as large as the margin", "[compare]") {
  const auto [reference, target] = answered({60, 9, 1, 30});
  const Comparing c(reference, target);
  // Miller: n = (z_0.975 + z_0.8)^2 var / delta^2, var that of the 100 differences
  const double variance = (10 - 64.0 / 100) / 99, z = 1.959963984540054 + 0.8416212335729143;
  CHECK(c.number("score", "questions_needed") == std::ceil(z * z * variance / 1e-4));
  CHECK(c.number("score", "repeats_needed") == std::ceil(z * z * variance / 100 / 1e-4));
}

TEST_CASE("account: newly wrong answers by what they died of", "[compare]") {
  auto [reference, target] = answered({80, 12, 2, 6});
  for (size_t i = 80; i < 90; ++i) {
    target[i].text.clear();
    for (int k = 0; k < 60; ++k) target[i].text += "and so it goes again, ";
  }
  const Comparing c(reference, target);
  const Document& tables = c.document["tables"];
  const Document* account = nullptr;
  for (const Document& t : tables.items()) {
    if (t["name"].text() == "account") account = &t;
  }
  REQUIRE(account);
  const auto value = [&](size_t column, int place) { return (*account)["values"].items()[column].items()[static_cast<size_t>(place)].number(); };
  CHECK(value(2, kPlaceLooping) == 10);
  CHECK(value(2, kPlaceWellFormed) == 2);
  CHECK(value(3, kPlaceWellFormed) == 2);
  CHECK(c.step("account")["symptom"].text() == "more_looping");
  CHECK(c.step("account").at("words", "en").text() == "12 answers newly wrong, 10 of them broken; 2 newly right");
}

TEST_CASE("lengths: the paired log ratio of questions", "[compare]") {
  const int reference[] = {100, 200, 150, 120, 90}, target[] = {130, 210, 190, 118, 140};
  Answers a, b;
  for (int q = 0; q < 5; ++q) {
    a.push_back({std::to_string(q), 1, std::string(static_cast<size_t>(reference[q]), 'x')});
    b.push_back({std::to_string(q), 1, std::string(static_cast<size_t>(target[q]), 'x')});
  }
  const Comparing c(a, b);
  // scipy.stats.ttest_rel of the logarithms
  CHECK(c.number("lengths", "effect") == Approx(0.19451376813276228));
  CHECK(c.number("lengths", "p") == Approx(0.07586034228985847));
  CHECK(c.bound("lengths", 0) == Approx(-0.032252096487615844));
  CHECK(c.bound("lengths", 1) == Approx(0.4212796327531404));
}

TEST_CASE("effects: no difference in any question leaves what the rule of three leaves", "[compare]") {
  const std::vector<double> same(300, 0.5);
  const Effect e = effect_of_means(same, same);
  CHECK(e.lower == Approx(std::log(0.05) / 300));
  CHECK(e.upper == Approx(-std::log(0.05) / 300));
  CHECK(e.p == 1);
}

TEST_CASE("effects: p beyond a margin is the level whose interval ends at it", "[compare]") {
  const Effect e = effect_of_pairs(60, 30, 2, 8);
  const double p = p_below(e, 0.05);
  CHECK(e.at(1 - p).high == Approx(-0.05).epsilon(1e-9));
  CHECK(p_above(e, 0.05) == 1);
  CHECK((p < 0.05) == (e.upper < -0.05));
}

TEST_CASE("effects: clusters shrink rates by their design effect", "[compare]") {
  // Four questions of two equal answers each: the variance of the mean is that of four values, not of eight, but for (n - 1) / n.
  const std::vector<double> values = {1, 1, 0, 0, 0, 0, 0, 0};
  const std::vector<int64_t> questions = {0, 0, 1, 1, 2, 2, 3, 3};
  const ClusteredRate rate = clustered_rate(values, questions);
  const double m = 0.25, squares = 2 * 0.75 * 0.75 + 6 * m * m, within = 2 * 0.75 * 0.75 + 6 * m * m;
  CHECK(rate.design == Approx((squares / 56 + within / 64) / (squares / 56)));
  CHECK(rate.k == 2);
}

TEST_CASE("effects: greedy repeats of which none counts are no answers of their own", "[compare]") {
  const std::vector<double> values(40, 0.0);
  std::vector<int64_t> questions;
  for (int64_t i = 0; i < 40; ++i) questions.push_back(i / 8);
  ClusteredRate rate = clustered_rate(values, questions);
  CHECK(rate.design == 1);
  count_repeats_once(5, &rate);
  CHECK(rate.design == 8);
  CHECK(effect_of_share(rate).upper == Approx(1 - std::pow(0.025, 0.2)));  // none of five, exact
  ClusteredRate some{3, 40, 1.5};
  count_repeats_once(5, &some);
  CHECK(some.design == 1.5);
}

TEST_CASE("agreement: beside that of one run with itself", "[compare]") {
  Answers a, b;
  for (int q = 0; q < 20; ++q) {
    for (int r = 0; r < 2; ++r) {
      a.push_back({std::to_string(q), 1, "It is 4 in the end.", r, "4"});
      b.push_back({std::to_string(q), 1, "It is 4 in the end.", r, r == 0 || q % 2 ? " 4" : "5"});
    }
  }
  const Comparing c(a, b);
  // across: 1 or 1/2, mean 0.75; own: (1 + 1) / 2 or (1 + 0) / 2, mean 0.75
  CHECK(c.number("agreement", "effect") == Approx(0).margin(1e-12));
  CHECK(c.step("agreement").at("words", "en").text().find("agree in 75 % of pairs over 20 questions") != std::string::npos);
}

TEST_CASE("first token: another law of the first id is found, no repeats are not applicable", "[compare]") {
  Answers a, b;
  for (int q = 0; q < 30; ++q) {
    for (int r = 0; r < 4; ++r) {
      a.push_back({std::to_string(q), 1, "It is so.", r});
      a.back().ids = {q * 10 + r % 2, 5};
      b.push_back(a.back());
      b.back().ids = {q * 10 + 1, 5};
    }
  }
  CHECK(Comparing(a, b).number("first_token", "p") < 0.05);
  CHECK(Comparing(a, a).number("first_token", "p") > 0.5);
  const auto [one, other] = answered({5, 1, 1, 3});
  CHECK(Comparing(one, other).status("first_token") == "not_applicable");
}

TEST_CASE("configuration: settings of samples that differ are named", "[compare]") {
  auto [a, b] = answered({5, 1, 1, 3});
  for (Answer& answer : b) answer.temperature = 1;
  const Comparing c(a, b);
  CHECK(c.step("configuration").at("words", "en").text().find("recorded settings that differ, or stand on one side only: 1;") == 0);
}

TEST_CASE("configuration: only what can change answers; places, times and counters differ in every honest pair", "[compare]") {
  const Checker checker("{}", nullptr);
  RunSide side(checker);
  side.header = R"({"schema": "vaa.run/1", "model": {"name": "toy", "path": "/weights/toy", "label": "toy-port-8000", "max_length": 4096}, "hashes": {"tokenizer": "ab"},
    "engine": {"name": "vllm", "version": "0.11", "launch": ["vllm", "serve", "/weights/toy", "--port", "8000", "--block-size=16", "--enforce-eager", "--api-key", "k"]}, "sampling_defaults": {"temperature": 0.6, "url": "http://a:8000"}, "endpoints": ["http://a:8000"],
    "concurrency": 32, "tool": {"name": "vaa", "version": "0.1", "arguments": {"out": "x"}}, "counters": {"servers": [{"requests": 7}]}, "start_s": 1, "extra": {"path": "x"}})";
  side.settings["seed"]["7"] = 3;
  const auto settings = recorded_settings(side, true);
  std::string names;
  for (const auto& [name, value] : settings) names += name + "=" + value + " ";
  CHECK(names == "concurrency=32 engine.launch.block_size=16 engine.launch.enforce_eager=true engine.name=vllm engine.version=0.11 hashes.tokenizer=ab model.max_length=4096 model.name=toy samples.seed=7 sampling_defaults.temperature=0.6 tool.name=vaa tool.version=0.1 ");
}

TEST_CASE("fixed: the clean answers that are still needed", "[compare]") {
  const auto [a, b] = answered({40, 0, 0, 0});
  const Comparing c(a, b, R"({"baseline": "5/100"})");
  CHECK(c.status("fixed") == "undecided");
  CHECK(c.code == 3);
  // vaa's anytime number: the smallest n with e_n >= 20, e_n = B(1/2, n + 1/2) / B(1/2, 1/2) / 0.95^n
  int n = 0;
  for (double log_e = 0; log_e < std::log(20.0); ++n) log_e = std::lgamma(0.5) + std::lgamma(n + 1.5) - std::lgamma(n + 2.0) - std::log(3.14159265358979323846) - (n + 1) * std::log(0.95);
  CHECK(c.number("fixed", "questions_needed") == n - 40);
  CHECK(Comparing(a, b, R"({"baseline": "50/100"})").status("fixed") == "pass");
}
