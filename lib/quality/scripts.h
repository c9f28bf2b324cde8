// The writing systems in a text: where they change, inside words and between them (docs/detectors.md). One linear pass, read once a part, when a detector asks.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "quality/markup.h"
#include "quality/mojibake_scan.h"
#include "quality/soup_window.h"
#include "text/script_groups.h"

namespace vaa {

// Short runs of one script group within another.
struct Intrusion {
  uint8_t host = script::kNone, guest = script::kNone;
  bool touching = false;  // a letter of the host stands directly beside it; else blanks part them on both sides
  size_t count = 0;
  Place first;
};

// A script group that fills windows of 60 letters of the answer.
struct Filling {
  uint8_t group = script::kNone;
  size_t windows = 0;
  size_t begin = 0;  // byte of a run of the group in the first of them
};

struct Scripts {
  static constexpr size_t kWindow = 60;        // letters of a window of the answer
  static constexpr size_t kWindowShare = 51;   // letters of it that fill it: 85 %

  size_t letters = 0;                                  // of the whole text, of any group
  std::array<size_t, script::kGroups> by_group{};      // letters outside code
  Soup soup;
  size_t mixed_words = 0;                              // words with letters side by side of groups that do not mix
  Place mixed;                                         // the letters of the first
  std::array<Intrusion, 8> intrusions{};               // outside code; what finds no room is left out
  std::array<Filling, 4> filled{};                     // of the answer outside code, in the order of their first windows; what finds no room is left out
  size_t filled_windows = 0;
  uint8_t last_filled = script::kNone;                 // group of the last window that one group fills
  size_t odd_count = 0;                                // unassigned and private code points outside code
  Place odd;                                           // the first
  bool odd_unassigned = false;                         // one of them is unassigned
  size_t token_marks = 0;                              // Ġ, Ċ and ▁
  MojibakeHints hints;
  Mojibake mojibake;                                   // outside code

  size_t letters_outside_code() const {
    size_t sum = 0;
    for (const size_t n : by_group) sum += n;
    return sum;
  }
};

// Linear. `markup` is that of the text. Replaces *out.
void read_scripts(std::string_view text, const Markup& markup, Scripts* out);

}  // namespace vaa
