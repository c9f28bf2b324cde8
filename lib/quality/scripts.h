// The writing systems in a text: where they change, inside words and between them (docs/detectors.md). One linear pass, read once a part, when a detector asks.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "quality/markup.h"

namespace vaa {

struct Scripts {
  size_t letters = 0;
};

// Linear. `code` is Markup::code of the text. Replaces *out.
void read_scripts(std::string_view text, std::span<const Place> code, Scripts* out);

}  // namespace vaa
