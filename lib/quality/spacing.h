// Blanks that were lost or doubled in a text of scripts that part words by blanks (docs/detectors.md, spacing_anomaly).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "quality/markup.h"

namespace vaa {

// Counts of a text outside code. What looks like data (URLs, paths, base64, identifiers) is left out of words.
struct Spacing {
  size_t words = 0;          // words between white space that hold letters and do not look like data
  size_t letters = 0;        // in them
  size_t single = 0, doubled = 0, wider = 0;  // gaps between words of letters of one blank, of two, and of more
  Place glued;               // the first word of more than 30 letters
  Place gap;                 // the first gap of two blanks
};

// False where neither can be: most gaps are one blank and words are short. Vectorised.
bool may_be_odd_spacing(std::string_view text);
// Linear.
Spacing read_spacing(std::string_view text, std::span<const Place> code);

}  // namespace vaa
