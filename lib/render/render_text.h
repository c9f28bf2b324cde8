// Blocks as text for a terminal and as Markdown.
#pragma once
#include <string>
#include <string_view>

#include "render/blocks.h"
#include "render/render.h"

namespace vaa {

std::string render_text(const Blocks& blocks, const RenderOptions& options);
std::string render_markdown(const Blocks& blocks);
// Text that Markdown shows as it is.
std::string markdown_text(std::string_view text);

}  // namespace vaa
