// Whether a text stops in the middle of a sentence: what premature_stop and truncated look for (docs/detectors.md).
#pragma once
#include <cstddef>
#include <span>
#include <string_view>

#include "quality/markup.h"

namespace vaa {

struct Unfinished {
  const char* reason = "";  // function_word, comma, colon, sentence, cjk_sentence; "": it has an end, or is no prose
  bool certain = false;
  size_t at = 0, size = 0;  // bytes of the sentence that has no end
  explicit operator bool() const { return *reason != 0; }
};

// Reads the last line of text[begin, end), at most 4 KiB of it, where that is prose: no code (places of `text`), no list of words, no heading, table, verse or address.
Unfinished find_unfinished(std::string_view text, size_t begin, size_t end, std::span<const Place> code);

}  // namespace vaa
