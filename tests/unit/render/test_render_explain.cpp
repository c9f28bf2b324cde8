#include "render/render_explain.h"

#include <algorithm>

#include "catch.h"
#include "render/layout.h"

using namespace vaa;

namespace {

const std::string kOne = R"json({"name":"think_unclosed","kind":"flag","severity":"fail","ceiling":0.01,"title":"思考未结束","summary":"没有结束标签。",
"rule":"认十类标签，如 `<think>`，也认 [THINK] 和 <thought>；反引号里的不算，长长的一句话要在窄终端里按显示宽度折行，每行不超过所给的列数。","calibration":"","traps":"a_b","causes":"c","next":"`vaa check RUN --export think_unclosed`"})json";
const std::string kRun = R"json({"name":"cross_talk","kind":"run","severity":null,"ceiling":1.0,"title":"crossed","summary":"Answers another prompt of the run, that of someone else.","rule":"r","calibration":"c","traps":"t","causes":"c","next":"n"})json";

RenderOptions form(const char* format, const char* lang, int width = 60, bool color = false) {
  RenderOptions options;
  options.format = format;
  options.lang = lang;
  options.width = width;
  options.color = color;
  return options;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

}  // namespace

TEST_CASE("explanation: sections stand under their headings, within the width, and those without a text are left out", "[render]") {
  const std::string text = render_explanation(kOne, form("text", "zh"));
  size_t at = 0;
  for (const char* part : {"think_unclosed\n", "思考未结束 · 严重 · 正常引擎至多 1%\n", "没有结束标签。\n", "\n检测规则\n  认十类标签", "\n易混淆的情形\n  a_b\n", "\n引擎中见过的原因\n  c\n", "\n下一步\n  `vaa check RUN"}) {
    INFO(part);
    at = text.find(part, at);
    REQUIRE(at != std::string::npos);
  }
  CHECK(text.find("校准") == std::string::npos);
  for (const std::string& line : lines(text)) CHECK(display_width(line) <= 60);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(render_explanation(kOne, form("text", "zh", 60, true)).find("\x1b[1m检测规则\x1b[0m") != std::string::npos);
}

TEST_CASE("explanation: a check of a run has no severity, and one without a ceiling fails nothing", "[render]") {
  CHECK(render_explanation(kRun, form("text", "en")).find("crossed · of a whole run · shown, fails no run\n") != std::string::npos);
}

TEST_CASE("explanation: a list is a line for each in text, all of it in Markdown", "[render]") {
  const std::string both = "[" + kOne + "," + kRun + "]";
  CHECK(lines(render_explanation(both, form("text", "zh", 50))) ==
        std::vector<std::string>{"think_unclosed  没有结束标签。", "cross_talk      Answers another prompt of the run,", "                that of someone else."});
  const std::string markdown = render_explanation(both, form("markdown", "zh"));
  CHECK(markdown.find("## think_unclosed\n\n*思考未结束") == 0);
  CHECK(markdown.find("\n\n## cross_talk\n") != std::string::npos);
}

TEST_CASE("explanation: in Markdown code stays code, and what looks like markup is text", "[render]") {
  const std::string markdown = render_explanation(kOne, form("markdown", "zh"));
  CHECK(markdown.find("**检测规则：** 认十类标签，如 `<think>`，也认 \\[THINK\\] 和 \\<thought\\>；") != std::string::npos);
  CHECK(markdown.find("**下一步：** `vaa check RUN --export think_unclosed`\n") != std::string::npos);
}

TEST_CASE("explanation: an issue of an engine is a link in Markdown, and nothing else is", "[render]") {
  const std::string json = R"json({"name":"a","severity":"fail","ceiling":0.1,"title":"t","summary":"s","causes":"见（vllm-ascend#11849、#9488），xvllm#1, vllm#, C#, `vllm#2`; llama.cpp#2758."})json";
  CHECK(render_explanation(json, form("markdown", "zh")).find("见（[vllm-ascend#11849](https://github.com/vllm-project/vllm-ascend/issues/11849)、"
                                                              "[#9488](https://github.com/vllm-project/vllm-ascend/issues/9488)），xvllm#1, vllm#, C#, `vllm#2`; "
                                                              "[llama.cpp#2758](https://github.com/ggml-org/llama.cpp/issues/2758).\n") != std::string::npos);
  CHECK(render_explanation(json, form("text", "zh", 200)).find("vllm-ascend#11849、#9488") != std::string::npos);
}
