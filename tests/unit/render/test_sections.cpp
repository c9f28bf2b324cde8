#include <cmath>

#include "base/failure.h"
#include "catch.h"
#include "render/render.h"

using namespace vaa;

namespace {

const char* const kSections = R"json({"schema":"vaa.report/1","vaa":"0.1.0","kind":"ladder",
"verdict":{"name":"undecided","code":3,"reason":"two rungs are not enough","reason_zh":"两级不够","causes":[]},
"title":{"en":"Ladder","zh":"阶梯"},"facts":[{"en":"a \u001b[31m fact","zh":"事实"}],
"sections":[{"heading":{"en":"Rungs","zh":"各级"},"columns":[{"en":"at","zh":"位置"},{"en":"parted","zh":"分开"}],"right":[true,true],
  "rows":[{"cells":[{"en":"4096","zh":"4096"},{"en":"2 of 9","zh":"9 中 2"}],"tone":"bad"},{"cells":[{"en":"8192","zh":"8192"}],"tone":"plain"}],
  "lines":[{"text":{"en":"what came","zh":"结果"},"quoted":"loop \u0007 <b>","command":"vaa check out.jsonl","request":"\"stream\": true","tone":"faint"}]}],
"tables":[{"name":"rungs","rows":2,"columns":["at","parted"],"values":[[4096,8192],[2,null]]},{"name":"far","rows":7,"columns":["x"]}]})json";

bool holds(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("sections: a report brings its own headings, tables and lines, in both languages and in every form", "[render]") {
  const Report report = report_from_json(kSections);
  for (const char* format : {"text", "markdown"}) {
    CAPTURE(format);
    RenderOptions options;
    options.format = format;
    const std::string en = render(report, options);
    for (const char* part : {"Rungs", "4096", "2 of 9", "what came", "vaa check out.jsonl", "stream", "two rungs are not enough"}) CHECK(holds(en, part));
    CHECK_FALSE(holds(en, "\x1b"));
    CHECK_FALSE(holds(en, "\x07"));
    options.lang = "zh";
    const std::string zh = render(report, options);
    for (const char* part : {"各级", "9 中 2", "结果", "两级不够"}) CHECK(holds(zh, part));
    CHECK_FALSE(holds(zh, "Rungs"));
  }
}

TEST_CASE("report: a document that was written is a report again, with the tables whose values it holds", "[report]") {
  const Report report = report_from_json(std::string(kSections) + "\n");
  CHECK(report.verdict() == Verdict::kUndecided);
  CHECK(report.json() == kSections);
  CHECK(report.column("rungs", "at") == std::vector<double>{4096, 8192});
  CHECK(std::isnan(report.column("rungs", "parted")[1]));
  CHECK_THROWS_AS(report.column("far", "x"), Failure);
  CHECK(report.number("/tables/0/values/0/1") == 8192);
}

TEST_CASE("report: what is no report is refused with what is wrong with it", "[report]") {
  const auto message = [](const char* json) {
    try {
      report_from_json(json);
    } catch (const Failure& failure) {
      CHECK(failure.status() == VAA_ERROR_FORMAT);
      return failure.message();
    }
    return std::string("accepted");
  };
  CHECK(message("{\"schema\": \"vaa.report/1\"") == "report: the text ends inside the document at byte 25");
  CHECK(message("[1]") == "report: schema is \"\", must be vaa.report/1");
  CHECK(message(R"({"schema": "vaa.report/2"})") == "report: schema is \"vaa.report/2\", must be vaa.report/1");
  CHECK(message(R"({"schema": "vaa.report/1", "verdict": {"code": 0.5}})") == "report: verdict.code is no integer of 0 to 3");
}
