// How the checks of a run and the groups of flagged answers are shown.
#include "catch.h"
#include "render/render.h"

using namespace vaa;

namespace {

const char* const kDocument = R"json({"schema":"vaa.report/1","vaa":"0.1.0","verdict":{"name":"fail","reason":"r","reason_zh":"因"},"counts":{"samples":9,"questions":9,"with_output":9},
"checks":[{"name":"cross_talk","kind":"run","status":"fail","gates":true,"n":9,"k":2,"found":2,"title":{"en":"answers to another prompt","zh":"串扰"},"words":{"en":"2 of 9","zh":"9 个中 2 个"}},
 {"name":"identical_repeats","kind":"run","status":"pass","gates":true,"n":9,"k":0,"found":0,"title":{"en":"t","zh":"t"},"words":{"en":"w","zh":"w"}},
 {"name":"time_burst","kind":"run","status":"not_checked","gates":false,"n":0,"k":0,"found":0,"title":{"en":"t","zh":"t"},"words":{"en":"w","zh":"w"}}],
"run_findings":[{"check":"cross_talk","words":{"en":"2 of 9","zh":"9 个中 2 个"},"samples":[
 {"id":"4","repeat":0,"dataset":"gsm8k","source":{"file":null,"line":null},"other":{"id":"7","repeat":2,"dataset":"gsm8k","source":{"file":null,"line":null}}},
 {"id":"5\u001b[31m","repeat":0,"dataset":null,"source":{"file":null,"line":null},"other":null}]}],
"groups":{"tried":240,"rows":[
 {"about":"broken","key":"rank","value":"3","k":31,"all_k":34,"n":40,"all":400,"base":0.02,"p":1e-20,"p_adjusted":1e-18,"most":true,"words":{"en":"31 of 34 are of rank 3","zh":"34 个中有 31 个来自 rank 3"}},
 {"about":"broken","key":"minute","value":"1","k":3,"all_k":34,"n":40,"all":400,"base":0.1,"p":0.4,"p_adjusted":0.9,"most":false,"words":{"en":"by chance","zh":"偶然"}},
 {"about":"broken","key":"unit","value":"again \u202e","k":9,"all_k":12,"n":null,"all":null,"base":null,"p":null,"p_adjusted":null,"most":false,"words":{"en":"9 of 12 are loops of one unit","zh":"12 个中有 9 个重复同一单元"}}]}})json";

std::string rendered(const char* format, const char* lang) {
  RenderOptions options;
  options.format = format;
  options.lang = lang;
  return render(Report(Verdict::kFail, kDocument, {}, ""), options);
}
bool holds(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("render: the checks of the run name their samples and what these go with", "[render]") {
  const std::string text = rendered("text", "en");
  CHECK(holds(text, "The run as a whole"));
  CHECK(holds(text, "cross_talk: answers to another prompt, 2 of 9"));
  CHECK(holds(text, "gsm8k/4 ↔ gsm8k/7#2"));
  CHECK(holds(text, "Tested, none found: identical_repeats"));
  CHECK(holds(text, "time_burst"));
  CHECK_FALSE(holds(text, "\x1b"));
  CHECK(holds(rendered("markdown", "zh"), "整体检查"));
}

TEST_CASE("render: groups that are surely more than chance are shown, with how many were tried; units as quoted text", "[render]") {
  for (const char* format : {"text", "markdown"}) {
    const std::string text = rendered(format, "en");
    CHECK(holds(text, "31 of 34 are of rank 3"));
    CHECK_FALSE(holds(text, "by chance"));
    CHECK(holds(text, "9 of 12 are loops of one unit"));
    CHECK(holds(text, "again"));
    CHECK_FALSE(holds(text, "\xe2\x80\xae"));
    CHECK(holds(text, "240"));
  }
}
