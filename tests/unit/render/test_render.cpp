#include "render/render.h"

#include <fstream>
#include <sstream>

#include "base/failure.h"
#include "base/json_writer.h"
#include "catch.h"
#include "render/layout.h"

using namespace vaa;

namespace {

// A report with every part, as a checked run gives it; names and texts are hostile.
const char* const kDocument = R"json({"schema":"vaa.report/1","vaa":"0.1.0",
"input":{"path":"run\u001b]0;owned\u0007","format":"aisbench","run":{"model":{"name":"toy|8b"},"tool":{"name":"ais_bench","version":"3.1"}}},
"verdict":{"name":"fail","code":1,"reason":"answers are broken: \u202elooping","reason_zh":"回答已损坏：循环重复","causes":[]},
"counts":{"samples":198,"failed":5,"missing":2,"with_output":193,"questions":66,"repeats":3,"datasets":2},
"account":{"wrong":{"total":9,"broken":6,"request_failed":5,"empty":1,"cut":0,"well_formed":3,"cut_of_which":{},"well_formed_of_which":{"no_final_answer":1,"cut_unknown":3},"unknown":{"empty":2,"cut":3}},
 "right":{"total":100,"cut":1,"unclosed":2,"plain":97,"plain_flagged":1},"unscored":{"total":1,"broken":0,"well_formed":1},
 "places":[{"name":"request_failed","title":{"en":"request failed","zh":"请求失败"}},{"name":"empty","title":{"en":"empty","zh":"空回答"}},{"name":"cut","title":{"en":"cut","zh":"被截断"}},{"name":"well_formed","title":{"en":"well formed","zh":"格式完好"}}],
 "datasets":[{"dataset":"gsm|8k\n","samples":198,"wrong":{"total":9,"broken":6,"request_failed":5,"empty":1,"well_formed":3,"well_formed_of_which":{"cut_unknown":3},"unknown":{"empty":2,"cut":3}},"right":{"total":100,"cut":1,"unclosed":2,"plain":97},"unscored":{"total":1,"well_formed":1}}]},
"score":[{"dataset":"gsm8k","metric":"accuracy","from":"samples","share":true,"value":0.6,"error":0.0163,"lower":0.57,"upper":0.63,"if_broken_were_right":0.9,"broken":6,"n":198,"questions":66,"subjects":0,"file":{"value":0.6,"n":66},"equals_file":true}],
"expect":{"check":{"name":"accuracy","status":"undecided","words":{"en":"60 % against 71.5 %","zh":"60%，公布值 71.5%"}}},
"baseline":{"name":"old<script>","pairs":66,"checks":[{"name":"broken","kind":"baseline","status":"fail","title":{"en":"broken answers","zh":"损坏的回答"},"words":{"en":"6 of 193 against 0 of 193","zh":"193 个中 6 个"}}],"words":{"en":"","zh":""}},
"checks":[{"name":"repetition_loop","kind":"flag","flag":"repetition_loop","severity":"fail","status":"fail","gates":true,"n":193,"k":6,"found":7,"all":193,"rate":0.031,"lower":0.014,"upper":0.066,"limit":0.0123,"ceiling":0.01,"ceiling_from":"healthy","title":{"en":"looping","zh":"循环重复"},"words":{"en":"","zh":""}},
 {"name":"empty","kind":"flag","severity":"fail","status":"pass","gates":true,"n":193,"k":0,"found":0,"rate":0,"lower":0,"upper":0.02,"ceiling":0.01,"detectable":0.0324,"title":{"en":"empty","zh":"空回答"},"words":{"en":"","zh":""}},
 {"name":"truncated","kind":"flag","severity":"info","status":"not_checked","gates":true,"n":0,"k":0,"found":0,"rate":null,"lower":null,"upper":null,"ceiling":0.05,"title":{"en":"cut","zh":"被截断"},"words":{"en":"","zh":""}}],
"lengths":{"unit":"tokens","tokens":{"n":193,"p50":10,"p90":20,"p99":30,"longest":40,"histogram":[{"from":0,"to":0,"count":0},{"from":1,"to":1,"count":3},{"from":2,"to":3,"count":190}]},"characters":null,"limit":{"known":193,"reached":9,"share":0.0466}},
"errors":{"count":5,"kinds":[{"count":4,"status":500,"message":"bad | \u001b[2J","type":"x"}]},
"findings":[{"id":"17","repeat":1,"dataset":"gsm8k","flag":"repetition_loop","severity":"fail","confidence":"suspected","part":"reasoning","onset_byte":12,"onset_char":10,"period_bytes":9,"period_chars":3,"count":40,
 "excerpt":"loop `` \u001b[31m \u202e | \udcff 汉字","source":{"file":"p/gsm8k.jsonl","line":18}}],
"problems":{"count":30,"first":[{"file":"f.jsonl","line":3,"message":"prediction: is a number\u0000"}]},"notes":["a note"],
"limits":[{"what":"finish_reason","n":1,"of":2,"flags":[],"next":"ais_bench --x","next_kind":"command","words":{"en":"the finish reason is not recorded","zh":"未记录结束原因"}},
 {"what":"token_ids","n":1,"of":2,"flags":[],"next":"\"return_token_ids\": true","next_kind":"request","words":{"en":"no ids","zh":"没有 id"}}]})json";

Report hostile() { return Report(Verdict::kFail, kDocument, {}, ""); }
std::string rendered(const char* format, const char* lang, int width = 100, bool color = false) {
  RenderOptions options;
  options.format = format;
  options.lang = lang;
  options.width = width;
  options.color = color;
  return render(hostile(), options);
}
bool holds(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("render: no byte of a hostile report reaches a terminal raw", "[render]") {
  for (const char* format : {"text", "markdown"}) {
    for (const char* lang : {"en", "zh"}) {
      CAPTURE(format, lang);
      const std::string text = rendered(format, lang);
      for (const char c : text) CHECK((static_cast<unsigned char>(c) >= 0x20 || c == '\n'));
      CHECK_FALSE(holds(text, "\xe2\x80\xae"));
      CHECK_FALSE(holds(text, "\xff"));
      CHECK(holds(text, "\\u001b[31m"));
      CHECK(holds(text, "\\u202e"));
    }
  }
  CHECK_FALSE(holds(rendered("text", "en"), "\x1b["));
  CHECK(holds(rendered("text", "en", 100, true), "\x1b[1;31mFAIL\x1b[0m"));
}

TEST_CASE("render: the first screen says verdict, account, score, flags, cases, limits", "[render]") {
  const std::string text = rendered("text", "en", 160);
  CHECK(text.find("FAIL  answers are broken") == 0);
  const char* order[] = {"What the wrong answers died of", "request failed", "wrong in all", "right but cut", "right by an unclosed thought", "Score", "60.00", "Flags", "repetition_loop", "6 (+1)", "193", "3.1 %", "1.2 %", "1 %", "too many", "(+n): n more are suspected", "Too many:",
                         "Tested, none found (3.2 % would have shown): empty", "Not tested", "truncated", "Causes seen in engines", "$ vaa explain repetition_loop\n", "half up to 10", "logarithmic", "Failed requests", "Worst cases", "gsm8k/17#1", "p/gsm8k.jsonl:18", "from byte 12 (character 10)", "unit of 3 characters × 40",
                         "in the reasoning", "suspected", "What could not be read", "f.jsonl:3", "29 more", "the finish reason is not recorded", "$ ais_bench --x", "    \"return_token_ids\": true"};
  size_t at = 0;
  for (const char* part : order) {
    CAPTURE(part);
    at = text.find(part, at);
    REQUIRE(at != std::string::npos);
  }
}

TEST_CASE("render: Chinese is complete: no English heading is left", "[render]") {
  const std::string text = rendered("text", "zh");
  CHECK(text.find("未通过") == 0);
  for (const char* part : {"错误回答的原因", "请求失败", "得分", "异常标记", "循环重复", "回答长度", "典型案例", "无法读取的内容", "未记录结束原因", "与基线对比", "与公布得分对比", "疑似"}) {
    CAPTURE(part);
    CHECK(holds(text, part));
  }
  for (const char* part : {"Score", "Flags", "wrong", "answers", "samples", "severity", "healthy", "found", "Worst", "byte ", "interval"}) {
    CAPTURE(part);
    CHECK_FALSE(holds(text, part));
  }
}

TEST_CASE("render: lines keep to the width, commands stay whole", "[render]") {
  for (const int width : {60, 80, 100, 160}) {
    for (const char* lang : {"en", "zh"}) {
      std::istringstream lines(rendered("text", lang, width));
      for (std::string line; std::getline(lines, line);) {
        CAPTURE(width, line);
        CHECK((display_width(line) <= static_cast<size_t>(width) || line.find("    $ ") == 0));
      }
    }
  }
}

TEST_CASE("render: cells of Markdown tables hold no bare bar and rows have as many cells as the head", "[render]") {
  const std::string text = rendered("markdown", "en");
  CHECK(holds(text, "gsm\\|8k\\\\n"));
  CHECK(holds(text, "old\\<script\\>"));
  CHECK(holds(text, "repetition_loop"));
  CHECK(holds(text, "``` loop `` "));
  std::istringstream lines(text);
  size_t cells = 0;
  for (std::string line; std::getline(lines, line);) {
    size_t bars = 0;
    for (size_t i = 0; i < line.size(); ++i) bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
    if (line.empty() || line[0] != '|') {
      cells = 0;
      continue;
    }
    if (cells == 0) cells = bars;
    CAPTURE(line);
    CHECK(bars == cells);
  }
}

TEST_CASE("render: JSON is the document, and what is not known is refused by name", "[render]") {
  CHECK(rendered("json", "en") == std::string(kDocument) + "\n");
  CHECK_THROWS_AS(rendered("html", "en"), Failure);
  CHECK_THROWS_AS(rendered("text", "fr"), Failure);
  const Report empty(Verdict::kNotChecked, "{}", {}, "");
  RenderOptions options;
  options.format = "text";
  CHECK(render(empty, options).find("NOT CHECKED") == 0);
}

TEST_CASE("render: what cannot be told is a question mark, not a zero", "[render]") {
  const std::string text = rendered("markdown", "en");
  CHECK(holds(text, "\n| empty | 1 ? |\n| cut | ? |\n"));
  CHECK(holds(text, "\n| well formed and wrong | 3 |\n| – of these not known whether cut | 3 |\n"));
  CHECK(holds(text, "\n- ?: on some of these answers it is not recorded"));
}

TEST_CASE("render: Markdown has a title, rows under a row keep their place, requests are no commands", "[render]") {
  const std::string text = rendered("markdown", "en");
  CHECK(text.find("# Output check: run") == 0);
  CHECK(holds(text, "\n| – of these not known whether cut | 3 |"));
  CHECK(holds(text, "\n  `$ ais_bench --x`\n"));
  CHECK(holds(text, "\n  `\"return_token_ids\": true`\n"));
  CHECK(rendered("markdown", "zh").find("# 输出检查：run") == 0);
}

TEST_CASE("render: where a baseline decides, no ceilings are shown", "[render]") {
  const Report report(Verdict::kPass, R"({"verdict":{"name":"pass"},"baseline":{"name":"old","checks":[]},"checks":[{"name":"empty","kind":"flag","severity":"fail","status":"pass","gates":false,
"n":10,"k":1,"found":1,"all":10,"rate":0.1,"limit":0.001,"ceiling":0.01,"ceiling_from":"healthy","title":{"en":"empty","zh":"空回答"}}]})", {}, "");
  RenderOptions options;
  options.format = "text";
  const std::string text = render(report, options);
  CHECK(holds(text, "shown only"));
  CHECK_FALSE(holds(text, "healthy"));
  CHECK_FALSE(holds(text, "at least"));
}

TEST_CASE("render: a caller's ceiling is the caller's, a run without dataset has all as its heading", "[render]") {
  const Report report(Verdict::kPass, R"({"verdict":{"name":"pass"},"account":{"wrong":{"total":1,"well_formed":1},"places":[{"name":"well_formed","title":{"en":"well formed","zh":"格式完好"}}],
"datasets":[{"dataset":"","wrong":{"total":1,"well_formed":1}}]},"checks":[{"name":"empty","kind":"flag","severity":"fail","status":"pass","gates":true,"n":10,"k":1,"found":1,"all":10,"rate":0.1,"limit":0.001,
"ceiling":0.005,"ceiling_from":"fail_on","title":{"en":"empty","zh":"空回答"}}]})", {}, "");
  RenderOptions options;
  options.format = "text";
  const std::string text = render(report, options);
  CHECK(holds(text, "fail_on 0.5 %  ok"));
  CHECK(holds(text, "died of\n                         all\n"));
}
