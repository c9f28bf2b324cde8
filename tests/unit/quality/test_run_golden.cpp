// The genuine runs of examples/data through the checks of a run: what was planted is named, and nothing else.
#include <map>
#include <set>

#include "catch.h"
#include "quality/check_run.h"
#include "quality/run/run_check.h"
#include "simulated.h"

using namespace vaa;
using namespace vaa::tests;

namespace {

Document report_of(const std::string& run, int threads) {
  CheckRunOptions options;
  options.tally = quiet();
  options.threads = threads;
  const std::string path = std::string(VAA_EXAMPLE_DATA) + "/" + run + "/run";
  return Document::parse(check_run(all_flags(), *open_input(path, {}), path, options, nullptr).json());
}

}  // namespace

TEST_CASE("run checks: of the genuine runs the cut ones and the one with a stuck seed are named, with one thread and with four", "[quality]") {
  // Planted (planted.json): 34 answers cut without a finish reason, of which 29 end in the middle of a sentence; a seed that is the same in all 3 repeats of 20 questions; answers cut in
  // the midst of other damage.
  const std::map<std::string, std::set<std::string>> expected = {
      {"aisbench_gsm8k_cut", {"same_length_wall"}}, {"lm_eval_gsm8k_same_repeats", {"identical_repeats"}}, {"aisbench_gsm8k_chat", {"same_length_wall"}},
      {"aisbench_gsm8k_healthy", {}},               {"aisbench_gsm8k_repeats", {}},                       {"aisbench_gsm8k_stream", {}},
      {"aisbench_ceval", {}},                       {"aisbench_low_score", {}},                           {"lm_eval_gsm8k_repeats", {}},
      {"lm_eval_gsm8k_chat", {}},                   {"lm_eval_gsm8k_completions", {}},                    {"aisbench_gsm8k_repeats_failed", {}}};
  for (const auto& [run, checks] : expected) {
    CAPTURE(run);
    const Document one = report_of(run, 1), four = report_of(run, 4);
    std::set<std::string> found;
    for (const RunCheck* row : run_check_table()) {
      const int64_t k = check_of(one, row->name)["k"].integer();
      if (k > 0) found.insert(row->name);
      CHECK(check_of(four, row->name)["k"].integer() == k);
    }
    CHECK(found == checks);
  }
}

TEST_CASE("run checks: a stock AISBench run whose answers were cut without a finish reason fails and says so", "[quality]") {
  const Document report = report_of("aisbench_gsm8k_cut", 1);
  CHECK(report.at("verdict", "code").integer() == 1);
  CHECK(report.at("verdict", "reason").text().find("cut at one length 29 of 60") != std::string::npos);
  CHECK(named(report, "same_length_wall").items().size() == 20);
}

TEST_CASE("verdict: a pass with some flags switched off says that only some were looked for", "[quality]") {
  const Checker checker(R"({"flags": ["empty", "repetition_loop"]})", nullptr);
  Tally tally(checker, quiet());
  for (int i = 0; i < 30; ++i) add(&tally, Answer(std::to_string(i)));
  const std::string reason = document(tally).at("verdict", "reason").text();
  CHECK(reason.rfind("only 2 of " + std::to_string(detector_table().size()) + " flags looked for", 0) == 0);
}
