// UTF-8 that was read as another encoding: the places where the characters of a text, turned back into that encoding's bytes, are UTF-8 (docs/detectors.md, mojibake).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "quality/markup.h"
#include "text/wrong_decoding.h"

namespace vaa {

struct Mojibake {
  bool found = false;
  ReadAs read_as = ReadAs::kWindows1252;
  size_t sequences = 0;   // characters that the bytes of the place are
  double share = 0;       // of the bytes beyond ASCII there that belong to them
  Place place;
};

// Counts of characters without which an encoding is not tried.
struct MojibakeHints {
  size_t lead_letters = 0;    // U+00C2 to U+00F4: Windows-1252, byte-level
  size_t cyrillic = 0;        // letters: Windows-1251, and KOI8-R where there is box drawing too
  size_t box_drawing = 0;     // U+2500 to U+257F
  size_t han = 0;             // letters, and kana, where GBK may have made them: GBK
  size_t halfwidth_kana = 0;  // U+FF61 to U+FF9F, 縺, 繧 and 繝: Shift-JIS
};

// Linear; code is passed over. The encoding that explains most is told.
Mojibake find_mojibake(std::string_view text, std::span<const Place> code, const MojibakeHints& hints);

}  // namespace vaa
