// vaa_comparison and vaa_compare_records through the border: pushed or read, on any threads, the same report; bad arguments.
#include <cstdio>
#include <fstream>

#include "support.h"

namespace {

using ComparedRuns = Owned<vaa_comparison, vaa_comparison_free>;

const std::string kHealthy = std::string(VAA_EXAMPLE_DATA) + "/aisbench_gsm8k_healthy/run", kLow = std::string(VAA_EXAMPLE_DATA) + "/aisbench_low_score/run";

Report compare(std::string_view options) {
  const Checker checker = new_checker();
  const Records reference = open_records(kHealthy), target = open_records(kLow);
  vaa_report* report = nullptr;
  ok([&](vaa_error** err) { return vaa_compare_records(checker.get(), reference.get(), target.get(), nullptr, nullptr, str(options), nullptr, &report, err); });
  return Report(report);
}

std::string json_of(const vaa_report* report) {
  vaa_text* out = nullptr;
  ok([&](vaa_error** err) { return vaa_report_render(report, str(R"({"format": "json"})"), &out, err); });
  const Text owned(out);
  return text(vaa_text_str(out));
}

}  // namespace

TEST_CASE("compare: the same report for any number of threads", "[compare][threads]") {
  const Report one = compare(""), four = compare(R"({"threads": 4})");
  CHECK(vaa_report_verdict(one.get()) == VAA_VERDICT_FAIL);
  CHECK(json_of(one.get()) == json_of(four.get()));
}

TEST_CASE("compare: pushed samples come to what the files come to", "[compare]") {
  const Checker checker = new_checker();
  vaa_comparison* made = nullptr;
  ok([&](vaa_error** err) { return vaa_comparison_new(checker.get(), str(R"({"text": false})"), &made, err); });
  const ComparedRuns comparison(made);
  const Sample sample = new_sample();
  for (const int32_t side : {VAA_SIDE_TARGET, VAA_SIDE_REFERENCE}) {
    for (int q = 0; q < 50; ++q) {
      vaa_sample_clear(sample.get());
      set(sample, VAA_FIELD_ID, std::to_string(q));
      set(sample, VAA_FIELD_OUTPUT_TEXT, "The result is " + std::to_string(q * 3 + side) + ".");
      ok([&](vaa_error** err) { return vaa_comparison_push(made, side, sample.get(), err); });
    }
  }
  vaa_report* report = nullptr;
  ok([&](vaa_error** err) { return vaa_comparison_report(made, &report, err); });
  const Report owned(report);
  CHECK(json_of(report).find("\"primary\": \"flags\"") != std::string::npos);
  CHECK(json_of(report).find("\"shared\": 50") != std::string::npos);
}

TEST_CASE("compare: bad arguments are named", "[compare]") {
  const Checker checker = new_checker();
  vaa_comparison* made = nullptr;
  CHECK(message(fault([&](vaa_error** err) { return vaa_comparison_new(nullptr, str(""), &made, err); })) == "checker is NULL");
  CHECK(message(fault([&](vaa_error** err) { return vaa_comparison_new(checker.get(), str(R"({"nosuch": "f"})"), &made, err); })).find("nosuch: no such option") != std::string::npos);
  ok([&](vaa_error** err) { return vaa_comparison_new(checker.get(), str(""), &made, err); });
  const ComparedRuns comparison(made);
  const Sample sample = new_sample();
  CHECK(message(fault([&](vaa_error** err) { return vaa_comparison_push(made, 2, sample.get(), err); })) == "side: is 2, allowed are 0 (reference), 1 (target), and, where the options reference_again and target_again say so, 2 (reference again) and 3 (target again)");
}
