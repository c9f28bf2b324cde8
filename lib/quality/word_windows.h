// The words of a text, seen through a window that moves over it (docs/detectors.md, word_salad). One linear pass, read once a part, when a detector asks.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "quality/markup.h"

namespace vaa {

// A window of `window` units is flat where at most `repeats` of them came before in it.
struct FlatRule {
  size_t window, step, repeats;
};

// Windows over one kind of unit.
struct FlatWindows {
  struct Stretch {
    size_t flat = 0;            // windows, one step behind another
    size_t begin = 0, end = 0;  // bytes
    size_t repeats = 0;         // in the flattest of them
  };
  size_t units = 0;
  size_t windows = 0;  // complete ones; one that ends with the last unit is among them, if half a step lies behind the one before
  Stretch longest;     // of flat windows that are no lists
  Stretch last;        // the window that ends with the last unit: flat 0 or 1

  // Memory: where a unit was last, and what the newest were. What is before `start` is of an earlier text.
  struct Newest {
    uint32_t before = 0;  // the place where it was last
    size_t at = 0, items = 0;
  };
  std::array<std::array<uint64_t, 2>, 1024> seen{};  // hash << 32 | place
  std::array<Newest, 256> newest{};                  // by the place
  uint32_t start = 1;
};

struct WordWindows {
  // Of 120 words the ten most frequent make up an eighth at most, where so few come again. Pairs of characters: of 240 in real Chinese and Japanese at least 15 do.
  static constexpr FlatRule kWords{120, 60, 5}, kPairs{240, 120, 10};
  static constexpr size_t kItems = 6;  // one word of so many begins a line or follows a comma: a list, or verse

  FlatWindows words;  // of letters; neither numbers nor words of scripts without blanks
  FlatWindows pairs;  // of Han and Kana characters, each with the one before it
};

// Linear. `code` is Markup::code of the text, which is passed over. Replaces what *out says.
void read_word_windows(std::string_view text, std::span<const Place> code, WordWindows* out);

}  // namespace vaa
