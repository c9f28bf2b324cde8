#include "render/render.h"

#include "base/failure.h"
#include "render/blocks.h"
#include "render/render_text.h"

namespace vaa {

std::string render(const Report& report, const RenderOptions& options) {
  if (options.lang != "en" && options.lang != "zh") fail(VAA_ERROR_OPTION, "lang: " + quoted(options.lang) + " is not allowed, allowed are en, zh");
  if (options.format == "json") return report.json() + "\n";
  const bool text = options.format == "text";
  if (!text && options.format != "markdown") fail(VAA_ERROR_OPTION, "format: " + quoted(options.format) + " is not allowed, allowed are json, text, markdown");
  const Blocks blocks = make_blocks(Document::parse(report.json()), options.lang == "zh");
  return text ? render_text(blocks, options) : render_markdown(blocks);
}

}  // namespace vaa
