#include <algorithm>
#include <random>

#include "base/failure.h"
#include "compare/symptoms.h"
#include "compared.h"

using namespace vaa;

TEST_CASE("verdict: worse beyond the margin, equivalent inside it, undecided between", "[compare]") {
  const auto worse = answered({700, 90, 10, 200});
  const Comparing bad(worse.first, worse.second);
  CHECK(bad.code == 1);
  CHECK(bad.name() == "worse");
  CHECK(bad.status("score") == "fail");
  const auto same = answered({4000, 12, 12, 200});
  const Comparing good(same.first, same.second);
  CHECK(good.code == 0);
  CHECK(good.name() == "equivalent");
  const auto open = answered({70, 8, 5, 17});
  const Comparing undecided(open.first, open.second);
  CHECK(undecided.code == 3);
  // One sentence that says why, without the word that stands before it; what would settle it comes first below.
  CHECK(undecided.reason().find("Score: the 95 % interval, -") == 0);
  CHECK(undecided.reason().find("reaches across the margin of 1.00 points") != std::string::npos);
  CHECK(undecided.document["sections"].items()[0].at("heading", "en").text() == "Undecided, and what would settle it");
  CHECK(undecided.document["sections"].items()[0]["rows"].items()[0]["cells"].items()[1]["en"].text().find("a change of 1.00 points is seen in 80 % of comparisons with") == 0);
}

TEST_CASE("verdict: where to look next stands for what failed or differs for certain, not for what is undecided", "[compare]") {
  const auto looks = [](const Comparing& c) {
    const auto& sections = c.document["sections"].items();
    return std::any_of(sections.begin(), sections.end(), [](const Document& s) { return s.at("heading", "en").text().find("Where to look next") == 0; });
  };
  const auto open = answered({70, 8, 5, 17});
  const Comparing undecided(open.first, open.second);
  CHECK(undecided.step("score")["symptom"].text() == "score_noise");
  CHECK_FALSE(looks(undecided));
  auto loops = answered({700, 90, 10, 200});
  for (size_t i = 700; i < 790; ++i) {
    loops.second[i].text.clear();
    for (int k = 0; k < 60; ++k) loops.second[i].text += "and so it goes again, ";
  }
  CHECK(looks(Comparing(loops.first, loops.second)));
}

TEST_CASE("verdict: a step that begins with its own title is named once", "[compare]") {
  auto loops = answered({700, 90, 10, 200});
  for (size_t i = 700; i < 790; ++i) loops.second[i].text.clear();
  const Comparing c(loops.first, loops.second);
  CHECK(c.reason().find("; broken answers: 0 / 1,000 -> 90 / 1,000") != std::string::npos);
  CHECK(c.reason().find("flags: broken") == std::string::npos);
}

TEST_CASE("verdict: a better target passes and it is said", "[compare]") {
  const auto runs = answered({700, 10, 120, 170});
  const Comparing c(runs.first, runs.second);
  CHECK(c.code == 0);
  CHECK(c.reason().find("better, Score") != std::string::npos);
}

TEST_CASE("verdict: a drop inside the margin passes, though it is real", "[compare]") {
  // 0.5 points of 20,000: p below 0.05, the interval above -1 point
  const auto runs = answered({15000, 300, 200, 4500});
  const Comparing c(runs.first, runs.second);
  CHECK(c.number("score", "p") < 0.05);
  CHECK(c.bound("score", 0) > -0.01);
  CHECK(c.code == 0);
}

TEST_CASE("verdict: the same runs, other margins", "[compare]") {
  const auto runs = answered({8500, 250, 110, 1140});  // -1.4 points
  CHECK(Comparing(runs.first, runs.second, R"({"change": "none"})").code == 1);
  CHECK(Comparing(runs.first, runs.second, R"({"change": "quant"})").code == 0);
}

TEST_CASE("verdict: without scores the flags decide, and a primary score is not comparable", "[compare]") {
  auto runs = answered({400, 0, 0, 0});
  for (Answer& a : runs.first) a.right = -1;
  for (Answer& a : runs.second) a.right = -1;
  const Comparing c(runs.first, runs.second);
  CHECK(c.document.at("comparison", "primary").text() == "flags");
  CHECK(c.status("score") == "not_applicable");
  CHECK(c.code != 1);
  const Comparing asked(runs.first, runs.second, R"({"primary": "score"})");
  CHECK(asked.code == 2);
  CHECK(asked.reason().find("no shared question has a score on both sides") != std::string::npos);
}

TEST_CASE("verdict: a tenth of the answers looping is found beside an equal score", "[compare]") {
  auto runs = answered({300, 3, 3, 94});
  for (size_t i = 0; i < 40; ++i) {
    runs.second[i * 10].text.clear();
    for (int k = 0; k < 60; ++k) runs.second[i * 10].text += "and so it goes again, ";
  }
  const Comparing c(runs.first, runs.second);
  CHECK(c.code == 1);
  CHECK(c.status("flags") == "fail");
}

TEST_CASE("verdict: scores that differ by chance do not make a run worse", "[compare]") {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> u(0, 1);
  int worse = 0, real = 0;
  for (int run = 0; run < 60; ++run) {
    Answers a, b;
    for (int q = 0; q < 200; ++q) {
      const double chance = u(random);
      for (Answers* side : {&a, &b}) side->push_back({std::to_string(q), u(random) < chance, "The result of step " + std::to_string(static_cast<int>(u(random) * 1000)) + " is as asked."});
    }
    const Comparing c(a, b);
    worse += c.code == 1;
    real += c.number("score", "p") < 0.05;
  }
  CHECK(worse <= 3);
  CHECK(real <= 8);  // P(Bin(60, 0.05) > 8) = 0.3 %
}

TEST_CASE("options: a wrong one is named with what is allowed", "[compare]") {
  const auto table = comparison_option_table();
  const auto parse = [&](const char* json) { return comparison_options(Options(json, table.data(), table.size(), "vaa_compare_records")); };
  const auto message = [&](const char* json) {
    try {
      parse(json);
    } catch (const Failure& failure) {
      return failure.message();
    }
    return std::string();
  };
  CHECK(message(R"({"change": "kernel"})").find("kernel") != std::string::npos);
  CHECK(message(R"({"change": "kernel"})").find("schedule") != std::string::npos);
  CHECK(message(R"({"baseline": "7 of 9"})").find("baseline") == 0);
  CHECK(std::string(parse("{}").margins->change) == "version");
  for (const Margins& m : margin_table()) CHECK(&find_margins(m.change) == &m);
}

TEST_CASE("symptoms: names are unique", "[compare]") {
  for (const Symptom& s : symptom_table()) CHECK(find_symptom(s.name) == &s);
}
