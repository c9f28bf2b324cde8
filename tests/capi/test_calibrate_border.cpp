// vaa_calibration through the border: what is pushed is judged, what is wrong is refused or counted.
#include <cmath>

#include "support.h"

namespace {

using Calibration = Owned<vaa_calibration, vaa_calibration_free>;

Calibration new_calibration(std::string_view options) {
  vaa_calibration* made = nullptr;
  ok([&](vaa_error** err) { return vaa_calibration_new(str(options), &made, err); });
  return Calibration(made);
}

// One token an answer, the lesser of two `lesser` times of 400: the two add to 1 and are 1 nat apart, so their odds are those of temperature 1 / log((400 - lesser) / lesser).
Report judged(std::string_view options, int lesser, std::string_view temperature) {
  const Calibration calibration = new_calibration(options);
  const Sample sample = new_sample();
  for (int i = 0; i < 400; ++i) {
    const std::string lists = i < lesser ? "[[[2, -1.3132617], [1, -0.3132617]]]" : "[[[1, -0.3132617], [2, -1.3132617]]]";
    const std::string line = R"({"schema": "vaa.record/1", "id": ")" + std::to_string(i) + R"(", "output": {"token_ids": [)" + (i < lesser ? "2" : "1") + R"(], "top_logprobs": )" + lists + R"(}, "sampling": {"temperature": )" + std::string(temperature) +
                             R"(, "top_p": 1, "top_k": 0, "min_p": 0, "logprobs_mode": "raw_logprobs"}})";
    ok([&](vaa_error** err) { return vaa_sample_from_json(sample.get(), str(line), err); });
    ok([&](vaa_error** err) { return vaa_calibration_push(calibration.get(), sample.get(), err); });
  }
  vaa_report* report = nullptr;
  ok([&](vaa_error** err) { return vaa_calibration_report(calibration.get(), &report, err); });
  return Report(report);
}

double number(const Report& report, std::string_view pointer) {
  double out = 0;
  ok([&](vaa_error** err) { return vaa_report_number(report.get(), str(pointer), &out, err); });
  return out;
}

}  // namespace

TEST_CASE("calibrate: the temperature of two tokens' odds, against the one that was asked", "[calibrate]") {
  const Report fair = judged("", 108, "1"), ignored = judged("", 108, "0.5");
  CHECK(number(fair, "/sampler/groups/0/checks/2/effect") == Approx(1 / std::log(292.0 / 108)).epsilon(1e-6));
  CHECK(vaa_report_verdict(fair.get()) != VAA_VERDICT_FAIL);
  CHECK(vaa_report_verdict(ignored.get()) == VAA_VERDICT_FAIL);
}

TEST_CASE("calibrate: an option stands before what samples record", "[calibrate]") {
  CHECK(vaa_report_verdict(judged(R"({"temperature": 1})", 108, "0.5").get()) != VAA_VERDICT_FAIL);
  CHECK(vaa_report_verdict(judged(R"({"temperature": 0})", 108, "0.5").get()) == VAA_VERDICT_FAIL);
}

TEST_CASE("calibrate: nothing pushed is not judged, and a wrong option is refused", "[calibrate]") {
  const Calibration none = new_calibration("");
  vaa_report* report = nullptr;
  ok([&](vaa_error** err) { return vaa_calibration_report(none.get(), &report, err); });
  CHECK(vaa_report_verdict(Report(report).get()) == VAA_VERDICT_NOT_CHECKED);
  vaa_calibration* made = nullptr;
  for (const char* wrong : {R"({"temperature": -1})", R"({"top_p": 0})", R"({"engine": "vllm9"})", R"({"logprobs": "cooked"})", R"({"tempreature": 1})"}) {
    const Error error = fault([&](vaa_error** err) { return vaa_calibration_new(str(wrong), &made, err); });
    CHECK(vaa_error_status(error.get()) != VAA_OK);
  }
  CHECK(vaa_error_status(fault([&](vaa_error** err) { return vaa_calibration_push(nullptr, nullptr, err); }).get()) == VAA_ERROR_ARGUMENT);
}
