#include <cmath>

#include "capture/ask_report.h"
#include "capture/owned.h"
#include "refused.h"
#include "vaa/report.h"

using namespace vaa;
using namespace vaa::capture;

namespace {

std::string rendered(const vaa_report* report, const char* options) {
  vaa_text* text = nullptr;
  must([&](vaa_error** err) { return vaa_report_render(report, border(std::string_view(options)), &text, err); });
  const OwnedText owned(text);
  return std::string(view(vaa_text_str(text)));
}

AskReport example() {
  AskReport report;
  report.kind = "ask";
  report.verdict = VAA_VERDICT_UNDECIDED;
  report.title = {"ask: 50 questions", "询问：50 个问题"};
  report.reason = {"0 tokens were drafted", "没有草拟任何词元"};
  report.facts = {{"http://127.0.0.1:8000", "http://127.0.0.1:8000"}};
  Section section;
  section.heading = {"Answers", "回答"};
  section.columns = {{"server", "服务器"}, {"answered", "已答"}};
  section.right = {false, true};
  section.rows.push_back({{{"vLLM", "vLLM"}, {"48", "48"}}, "good"});
  section.lines.push_back({{"ask again with", "再问"}, "said \x1b[31m", "vaa ask FILE", "\"logprobs\": true", "faint"});
  report.sections.push_back(section);
  report.tables.push_back({"latency", {{"ttft_s", {0.5, std::nan("")}}, {"tokens", {3, 4}}}});
  report.data = "\"servers\": [{\"url\": \"http://127.0.0.1:8000\"}], \"answered\": 48";
  return report;
}

}  // namespace

TEST_CASE("ask report: the library reads it, renders its sections and its columns", "[capture]") {
  const std::string json = report_json(example());
  vaa_report* report = nullptr;
  must([&](vaa_error** err) { return vaa_report_from_json(border(json), &report, err); });
  const std::unique_ptr<vaa_report, Freed<vaa_report_free>> owned(report);
  CHECK(vaa_report_verdict(report) == VAA_VERDICT_UNDECIDED);
  double answered = 0;
  must([&](vaa_error** err) { return vaa_report_number(report, border(std::string_view("/answered")), &answered, err); });
  CHECK(answered == 48);
  vaa_f64s column{nullptr, 0};
  must([&](vaa_error** err) { return vaa_report_column(report, border(std::string_view("latency")), border(std::string_view("ttft_s")), &column, err); });
  REQUIRE(column.size == 2);
  CHECK(column.data[0] == 0.5);
  CHECK(std::isnan(column.data[1]));
  const std::string english = rendered(report, R"({"format": "text"})"), chinese = rendered(report, R"({"format": "text", "lang": "zh"})");
  CHECK(holds(rendered(report, R"({"format": "markdown"})"), "ask: 50 questions"));
  CHECK(holds(rendered(report, R"({"format": "markdown", "lang": "zh"})"), "询问：50 个问题"));
  for (const char* part : {"0 tokens were drafted", "Answers", "answered", "48", "vaa ask FILE"}) {
    INFO(part << " in\n" << english);
    CHECK(holds(english, part));
  }
  for (const char* part : {"没有草拟任何词元", "回答", "已答"}) {
    INFO(part << " in\n" << chinese);
    CHECK(holds(chinese, part));
  }
  CHECK_FALSE(holds(english, "\x1b"));
}

TEST_CASE("ask report: a document with nothing in it is whole", "[capture]") {
  AskReport report;
  report.kind = "bisect";
  report.verdict = VAA_VERDICT_PASS;
  const std::string json = report_json(report);
  CHECK(holds(json, R"("schema": "vaa.report/1", "kind": "bisect", "vaa": )"));
  CHECK(holds(json, R"("verdict": {"name": "pass", "code": 0, "reason": "", "reason_zh": "", "causes": []}, "facts": [], "sections": [], "tables": []})"));
}
