// What a flag is about, in words: the JSON of quality/explain.h for a terminal and as Markdown.
#pragma once
#include <string>

#include "render/render.h"

namespace vaa {

// Of one explanation, or of a list of them: in text a list has a line for each, in Markdown it has them all in full.
std::string render_explanation(std::string json, const RenderOptions& options);

}  // namespace vaa
