// The words of a text, seen through a window that moves over it (docs/detectors.md). One linear pass, read once a part, when a detector asks.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "quality/markup.h"

namespace vaa {

struct WordWindows {
  size_t words = 0;
};

// Linear. `code` is Markup::code of the text. Replaces *out.
void read_word_windows(std::string_view text, std::span<const Place> code, WordWindows* out);

}  // namespace vaa
