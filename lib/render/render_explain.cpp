#include "render/render_explain.h"

#include <algorithm>
#include <iterator>

#include "base/figures.h"
#include "render/layout.h"
#include "render/render_text.h"
#include "report/document.h"
#include "report/words.h"

namespace vaa {
namespace {

struct Section {
  const char* key;
  const char* en;
  const char* zh;
};
constexpr Section kSections[] = {
    {"rule", "What is tested", "检测规则"},
    {"calibration", "What it was measured on", "在什么文本上校准"},
    {"traps", "Traps", "易混淆的情形"},
    {"causes", "Causes seen in engines", "引擎中见过的原因"},
    {"next", "The next run", "下一步"},
};

// "looping · fail · healthy engines up to 1 %"; of a check of a run without a severity.
std::string facts(const Document& row, bool chinese) {
  const std::string& severity = row["severity"].text();
  const double ceiling = row["ceiling"].number();
  const char* degree = severity.empty() ? (chinese ? "整次运行" : "of a whole run")
                                        : word(severity == "fail" ? Word::kSeverityFail : severity == "warn" ? Word::kSeverityWarn : Word::kSeverityInfo, chinese);
  const std::string healthy = !(ceiling < 1) ? (chinese ? "仅供参考，不影响结论" : "shown, fails no run")
                                             : (chinese ? "正常引擎至多 " : "healthy engines up to ") + percent(ceiling, chinese);
  return row["title"].text() + " · " + degree + " · " + healthy;
}

// --- terminal ---

std::string bold(const std::string& text, bool color) { return color ? "\x1b[1m" + text + "\x1b[0m" : text; }

void append_lines(std::string* out, const std::string& text, size_t indent, size_t width) {
  for (const std::string& line : wrapped(text, std::max<size_t>(width - indent, 20))) *out += std::string(indent, ' ') + line + "\n";
}

std::string text_of(const Document& row, const RenderOptions& options, size_t width) {
  const bool chinese = options.lang == "zh";
  std::string out = bold(row["name"].text(), options.color) + "\n";
  append_lines(&out, facts(row, chinese), 0, width);
  append_lines(&out, row["summary"].text(), 0, width);
  for (const Section& section : kSections) {
    if (row[section.key].text().empty()) continue;
    out += "\n" + bold(chinese ? section.zh : section.en, options.color) + "\n";
    append_lines(&out, row[section.key].text(), 2, width);
  }
  return out;
}

std::string list_of(const std::vector<Document>& rows, size_t width) {
  size_t column = 0;
  for (const Document& row : rows) column = std::max(column, row["name"].text().size() + 2);
  std::string out;
  for (const Document& row : rows) {
    std::string lead = padded(row["name"].text(), column, false);
    for (const std::string& line : wrapped(row["summary"].text(), std::max<size_t>(width - std::min(width, column), 20))) {
      out += lead + line + "\n";
      lead.assign(column, ' ');
    }
  }
  return out;
}

// --- Markdown ---

struct Repository {
  std::string_view name, path;
};
constexpr Repository kRepositories[] = {
    {"vllm", "vllm-project/vllm"},
    {"vllm-ascend", "vllm-project/vllm-ascend"},
    {"sglang", "sgl-project/sglang"},
    {"llama.cpp", "ggml-org/llama.cpp"},
    {"ollama", "ollama/ollama"},
    {"lmdeploy", "InternLM/lmdeploy"},
    {"TensorRT-LLM", "NVIDIA/TensorRT-LLM"},
    {"flashinfer", "flashinfer-ai/flashinfer"},
    {"AISBench", "AISBench/benchmark"},
    {"lm-eval", "EleutherAI/lm-evaluation-harness"},
    {"lighteval", "huggingface/lighteval"},
    {"gemini-cli", "google-gemini/gemini-cli"},
    {"omlx", "jundot/omlx"},
    {"exo", "exo-explore/exo"},
    {"EAGLE", "SafeAILab/EAGLE"},
    {"KohakuTerrarium", "Kohaku-Lab/KohakuTerrarium"},
};

// "vllm#45736, #45060" with their addresses; what names no repository that is known stays text.
std::string linked(std::string_view text) {
  const auto is_name = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '.'; };
  std::string out;
  size_t done = 0;
  const Repository* known = std::end(kRepositories);
  for (size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
    size_t begin = at, end = at + 1;
    while (begin > done && is_name(text[begin - 1])) --begin;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    const std::string_view name = text.substr(begin, at - begin);
    const std::string_view between = text.substr(done, begin - done);
    const bool again = name.empty() && (between == ", " || between == "、");  // of the repository before
    if (!again) known = std::find_if(std::begin(kRepositories), std::end(kRepositories), [&](const Repository& r) { return r.name == name; });
    if (known == std::end(kRepositories) || end == at + 1) continue;
    out += std::string(between) + "[" + std::string(text.substr(begin, end - begin)) + "](https://github.com/" + std::string(known->path) + "/issues/" +
           std::string(text.substr(at + 1, end - at - 1)) + ")";
    done = end;
  }
  return out + std::string(text.substr(done));
}

// Plain text with code in backticks, which stays code.
std::string prose(std::string_view text) {
  std::string out;
  for (bool code = false;; code = !code) {
    const size_t end = std::min(text.find('`'), text.size());
    out += code ? "`" + std::string(text.substr(0, end)) + "`" : linked(markdown_text(text.substr(0, end)));
    if (end == text.size()) return out;
    text.remove_prefix(end + 1);
  }
}

std::string markdown_of(const Document& row, bool chinese) {
  std::string out = "## " + markdown_text(row["name"].text()) + "\n\n*" + markdown_text(facts(row, chinese)) + "*\n\n" + prose(row["summary"].text()) + "\n";
  for (const Section& section : kSections) {
    if (row[section.key].text().empty()) continue;
    out += "\n**" + std::string(chinese ? section.zh : section.en) + (chinese ? "：** " : ":** ") + prose(row[section.key].text()) + "\n";
  }
  return out;
}

}  // namespace

std::string render_explanation(std::string json, const RenderOptions& options) {
  if (options.format == "json") return json + "\n";
  const Document document = Document::parse(json);
  const bool list = document.kind() == JsonKind::kArray;
  const size_t width = static_cast<size_t>(std::clamp(options.width, 40, 500));
  if (options.format == "text") return list ? list_of(document.items(), width) : text_of(document, options, width);
  if (!list) return markdown_of(document, options.lang == "zh");
  std::string out;
  for (const Document& row : document.items()) out += (out.empty() ? "" : "\n") + markdown_of(row, options.lang == "zh");
  return out;
}

}  // namespace vaa
