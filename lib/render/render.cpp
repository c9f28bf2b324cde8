#include "render/render.h"

#include "base/failure.h"
#include "base/options.h"
#include "render/blocks.h"
#include "render/render_text.h"

namespace vaa {

RenderOptions render_options(std::string_view json, const char* call) {
  static constexpr OptionSpec kTable[] = {
      {"format", OptionSpec::Type::kChoice, 0, 0, "json|text|markdown", "\"json\"", "the form of the result"},
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
  const bool text = options.format == "text";
  if (!text && options.format != "markdown") fail(VAA_ERROR_OPTION, "format: " + quoted(options.format) + " is not allowed, allowed are json, text, markdown");
  const Blocks blocks = make_blocks(Document::parse(report.json()), options.lang == "zh");
  return text ? render_text(blocks, options) : render_markdown(blocks);
}

}  // namespace vaa
