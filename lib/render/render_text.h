// Blocks as text for a terminal and as Markdown.
#pragma once
#include <string>

#include "render/blocks.h"
#include "render/render.h"

namespace vaa {

std::string render_text(const Blocks& blocks, const RenderOptions& options);
std::string render_markdown(const Blocks& blocks);

}  // namespace vaa
