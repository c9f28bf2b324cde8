#include "base/failure.h"
#include "compare/variants.h"
#include "compared.h"
#include "stats/exact_tests.h"

using namespace vaa;

namespace {

Report compared(const Answers& reference, const Answers& target) {
  const Checker checker("{}", nullptr);
  Comparison comparison(checker, comparison_options(Options("{}", comparison_option_table().data(), comparison_option_table().size(), "test")));
  const auto scratch = checker.new_scratch();
  Judgement judgement;
  for (const bool side : {false, true}) {
    for (const Answer& a : side ? target : reference) {
      const Sample s = sample_of(a);
      checker.judge(s, scratch.get(), &judgement);
      comparison.side(side).add(s, judgement);
    }
  }
  return comparison.report();
}

// `n` answers, the first `loops` of which loop.
Answers looping(int n, int loops, int seed) {
  Answers out;
  for (int i = 0; i < n; ++i) {
    Answer a{std::to_string(i)};
    a.text = "Answer " + std::to_string(i * 7 + seed) + " is what follows from both steps.";
    if (i < loops) {
      a.text.clear();
      for (int k = 0; k < 60; ++k) a.text += "and so it goes again, ";
    }
    out.push_back(a);
  }
  return out;
}

Document judged(const VariantOptions& options, const std::vector<std::pair<std::string, Report>>& reports) {
  Variants variants(options);
  for (const auto& [name, report] : reports) variants.push(name, report);
  return Document::parse(variants.report().json());
}

std::string option_fault(const std::string& matrix) {
  try {
    read_switch_matrix(matrix);
  } catch (const Failure& failure) {
    return failure.message();
  }
  return "";
}

}  // namespace

TEST_CASE("variants: a switch that removes the fault, by Fisher's test on the counts", "[compare]") {
  const Answers clean = looping(400, 0, 1), bad = looping(400, 9, 2), off = looping(400, 0, 3);
  const Document d = judged({"ref", "run\tgraph\nref\t0\na\t1\nb\toff\n", false}, {{"a", compared(clean, bad)}, {"b", compared(clean, off)}});
  const auto& rows = d.at("variants", "switches").items();
  const Document& broken = rows[0];
  CHECK(broken["flag"].text() == "broken");
  CHECK(broken.at("on", "k").integer() == 9);
  CHECK(broken.at("on", "n").integer() == 400);
  CHECK(broken.at("off", "k").integer() == 0);
  CHECK(broken.at("off", "n").integer() == 800);
  CHECK(std::abs(broken["p"].number() - stats::fisher_exact(9, 391, 0, 800)) < 1e-12);
  CHECK(broken.at("words", "en").text().find("switching graph off removes it: 0 of 800 against 9 of 400 with it on") == 0);
}

TEST_CASE("variants: switches that go together are confounded, and nothing is claimed", "[compare]") {
  const Answers clean = looping(400, 0, 1), bad = looping(400, 40, 2);
  const Document d = judged({"ref", R"({"ref": {"graph": false, "mtp": false}, "a": {"graph": true, "mtp": true}})", false}, {{"a", compared(clean, bad)}});
  const Document& row = d.at("variants", "switches").items()[0];
  CHECK(row["strata"].integer() == 0);
  CHECK(!row["p"].there());
  CHECK(row["confounded_with"].items()[0].text() == "mtp");
  CHECK(row.at("words", "en").text().find("confounded with mtp") != std::string::npos);
}

TEST_CASE("variants: with other switches equal, each setting is a stratum", "[compare]") {
  const Answers clean = looping(300, 0, 1), few = looping(300, 6, 2), more = looping(300, 12, 3), same = looping(300, 0, 4);
  const Document d = judged({"ref", "run,graph,mtp\nref,0,0\na,1,0\nb,0,1\nc,1,1\n", false}, {{"a", compared(clean, few)}, {"b", compared(clean, same)}, {"c", compared(clean, more)}});
  const Document& row = d.at("variants", "switches").items()[0];
  CHECK(row["switch"].text() == "graph");
  CHECK(row["strata"].integer() == 2);
  CHECK(row.at("on", "k").integer() == 18);
  CHECK(row.at("off", "k").integer() == 0);
  CHECK(row["p_adjusted"].number() < 0.001);
}

TEST_CASE("variants: among many runs a p that was enough alone is not", "[compare]") {
  const Answers clean = looping(400, 0, 1);
  const Report worse = compared(clean, looping(400, 11, 2)), same = compared(clean, looping(400, 0, 3));
  REQUIRE(worse.verdict() == Verdict::kFail);
  const Document alone = judged({"ref", "", false}, {{"a", worse}});
  CHECK(alone.at("variants", "runs").items()[0]["code"].integer() == 1);
  std::vector<std::pair<std::string, Report>> many{{"a", worse}};
  for (int i = 0; i < 200; ++i) many.push_back({"b" + std::to_string(i), same});
  const Document among = judged({"ref", "", false}, many);
  const Document& row = among.at("variants", "runs").items()[0];
  CHECK(row["code_alone"].integer() == 1);
  CHECK(row["code"].integer() == 3);
  CHECK(std::abs(row["p_adjusted"].number() - std::min(1.0, 201 * row["p"].number())) < 1e-12);
}

TEST_CASE("variants: A/B/A tells a change from a drift in time", "[compare]") {
  const Answers before = looping(400, 0, 1), changed = looping(400, 60, 2), after = looping(400, 0, 3), drifted = looping(400, 60, 4);
  const VariantOptions options{"ref", "", true};
  CHECK(judged(options, {{"a", compared(before, changed)}, {"ref2", compared(before, after)}, {"back", compared(after, changed)}}).at("variants", "again").text() == "reproducible");
  const Document drift = judged(options, {{"a", compared(before, changed)}, {"ref2", compared(before, drifted)}, {"back", compared(drifted, changed)}});
  CHECK(drift.at("variants", "again").text() == "drift_in_time");
  CHECK(drift.at("verdict", "code").integer() == 3);
  CHECK(judged(options, {{"a", compared(before, after)}, {"ref2", compared(before, looping(400, 0, 5))}, {"back", compared(after, before)}}).at("variants", "again").text() == "no_change");
}

TEST_CASE("variants: a report whose numbers no comparison has is refused", "[compare]") {
  const std::string good = compared(looping(40, 0, 1), looping(40, 4, 2)).json();
  const auto fault = [&](const std::string& from, const std::string& to) {
    std::string json = good;
    const size_t at = json.find(from);
    REQUIRE(at != std::string::npos);
    try {
      Variants variants({"ref", "run,x\nref,0\na,1\n", false});
      variants.push("a", report_from_json(json.replace(at, from.size(), to)));
      variants.report();
    } catch (const Failure& failure) {
      CHECK(failure.status() == VAA_ERROR_FORMAT);
      return failure.message();
    }
    return std::string();
  };
  CHECK(fault("\"k\": 4", "\"k\": 4") == "");
  CHECK(fault("\"k\": 4", "\"k\": -4").find("report: a rate is -4 of 40 with design ") == 0);
  CHECK(fault("\"k\": 4", "\"k\": 41").find("report: a rate is 41 of 40") == 0);
  CHECK(fault("\"n\": 40, \"design\": ", "\"n\": 40, \"design\": -").find("report: a rate is 0 of 40 with design -") == 0);
  CHECK(fault("\"n\": 40, \"design\": 1", "\"n\": 2000000000, \"design\": 1").find("must be counts of up to 1000000000") != std::string::npos);
  CHECK(fault("\"p_beyond\": 0.", "\"p_beyond\": 7.").find("report: p_beyond of step ") == 0);
}

TEST_CASE("matrix: what is wrong is named with line, run and switch", "[compare]") {
  CHECK(option_fault("") == "matrix: is empty");
  CHECK(option_fault("run,graph\na,maybe\n").find("line 2: switch \"graph\" is \"maybe\"") != std::string::npos);
  CHECK(option_fault("run,graph\na\n").find("line 2 has 1 values, the first line names 2") != std::string::npos);
  CHECK(option_fault("run,graph,graph\na,1,1\n").find("line 1: switch \"graph\" stands there twice") != std::string::npos);
  CHECK(option_fault("run,graph\na,1\na,0\n").find("line 3: run \"a\" stands there twice, first in line 2") != std::string::npos);
  CHECK(option_fault("{\"a\": {\"x\": true}, \"b\": {}}").find("run \"b\" does not say switch \"x\"") != std::string::npos);
  CHECK(option_fault("{\"a\": ").find("is no JSON object") != std::string::npos);
  CHECK(option_fault("run,graph\na,1\n\"b,1\n") == "matrix: line 3: a quotation mark is not closed on its line");
  CHECK(option_fault(std::string("run,graph\na,1\0\n", 15)) == "matrix: line 2 holds a NUL byte: the file must be UTF-8 text, not UTF-16 or binary");
  CHECK(option_fault("run,,graph\na,1,1\n") == "matrix: line 1: a switch has no name");
  CHECK(option_fault("run,graph\n,1\n") == "matrix: line 2: a run has no name");
  CHECK(option_fault("run,graph\n") == "matrix: names no run");
  CHECK(option_fault("{}") == "matrix: names no switch");
  const SwitchMatrix m = read_switch_matrix("\xEF\xBB\xBFrun, \"a, b\" ,c\r\nx,YES,0\r\n\r\ny, off ,1\r\n");
  CHECK(m.switches == std::vector<std::string>{"a, b", "c"});
  CHECK(m.runs[0].second == std::vector<bool>{true, false});
  CHECK(m.runs[1].second == std::vector<bool>{false, true});
}

TEST_CASE("matrix: rows that are no runs, and runs without a row, are refused by name", "[compare]") {
  const Answers clean = looping(40, 0, 1);
  Variants variants({"ref", "run,x\nref,0\nother,1\n", false});
  variants.push("a", compared(clean, looping(40, 0, 2)));
  const auto fault = [&] {
    try {
      variants.report();
    } catch (const Failure& failure) {
      return failure.message();
    }
    return std::string();
  };
  CHECK(fault().find("matrix: has no row of run \"a\"") == 0);
}

TEST_CASE("variants: of token steps it is said how many pass", "[compare]") {
  std::string json = compared(looping(40, 0, 1), looping(40, 0, 2)).json();
  const std::string steps = "\"steps\": [";
  json.insert(json.find(steps) + steps.size(), R"({"name":"drift","family":"tokens","gates":true,"status":"pass","p_beyond":0.5},{"name":"flips","family":"tokens","gates":true,"status":"undecided","p_beyond":0.5},)");
  const Document report = judged({"ref", "", false}, {{"a", report_from_json(json)}, {"b", report_from_json(json)}});
  const Document& cell = report["sections"].items()[0]["rows"].items()[0]["cells"].items()[4];
  CHECK(cell["en"].text() == "passes 1 of 2");
  CHECK(cell["zh"].text() == "2 项中 1 项通过");
}
