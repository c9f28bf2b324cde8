#include "render/render.h"

#include "base/failure.h"
#include "base/json.h"
#include "base/options.h"
#include "render/blocks.h"
#include "render/render_text.h"

namespace vaa {
namespace {

// The value of `name` in the object that `json` stands before; false: there is none, or null.
bool enter(JsonReader* json, std::string_view name) {
  std::string_view key;
  if (json->peek() != JsonKind::kObject) return false;
  json->object();
  while (json->key(&key)) {
    if (key == name) return json->peek() != JsonKind::kNull;
    json->skip();
  }
  return false;
}

std::string noise_of(const std::string& report) {
  JsonReader json(report);
  std::string_view noise;
  if (!enter(&json, "comparison") || !enter(&json, "noise") || json.peek() != JsonKind::kObject || !json.raw(&noise)) fail(VAA_ERROR_NOT_FOUND, "format: is noise, and the report has none: a comparison measures it from a second run of the reference, where both record token ids");
  return std::string(noise);
}

}  // namespace

RenderOptions render_options(std::string_view json, const char* call) {
  static constexpr OptionSpec kTable[] = {
      {"format", OptionSpec::Type::kChoice, 0, 0, "json|text|markdown|noise", "\"json\"", "the form of the result; noise: the vaa.noise/1 profile that a comparison measured"},
      {"lang", OptionSpec::Type::kChoice, 0, 0, "en|zh", "\"en\"", "the language of its words"},
      {"color", OptionSpec::Type::kBool, 0, 0, "", "false", "terminal colours (text)"},
      {"width", OptionSpec::Type::kInt, 40, 500, "", "100", "columns of the terminal (text)"},
  };
  const Options options(json, kTable, call);
  return {options.text("format"), options.text("lang"), options.boolean("color"), static_cast<int>(options.integer("width"))};
}

std::string render(const Report& report, const RenderOptions& options) {
  if (options.lang != "en" && options.lang != "zh") fail(VAA_ERROR_OPTION, "lang: " + quoted(options.lang) + " is not allowed, allowed are en, zh");
  if (options.format == "json") return report.json() + "\n";
  if (options.format == "noise") return noise_of(report.json()) + "\n";
  const bool text = options.format == "text";
  if (!text && options.format != "markdown") fail(VAA_ERROR_OPTION, "format: " + quoted(options.format) + " is not allowed, allowed are json, text, markdown, noise");
  const Blocks blocks = make_blocks(Document::parse(report.json()), options.lang == "zh");
  return text ? render_text(blocks, options) : render_markdown(blocks);
}

}  // namespace vaa
