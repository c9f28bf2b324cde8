// The words of a text, seen through a window that moves over it (docs/detectors.md, word_salad). One linear pass, read once a part, when a detector asks.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "quality/markup.h"

namespace vaa {

struct WordWindows {
  // A window is flat where at most kRepeats of its words came before in it: its ten most frequent words then make up an eighth of it at most.
  static constexpr size_t kWindow = 120, kStep = 60, kRepeats = 5;
  static constexpr size_t kItems = 6;  // one word of so many begins a line or follows a comma: a list, or verse

  size_t words = 0;     // of letters; Han and Kana characters; neither numbers nor words of scripts without blanks
  size_t windows = 0;   // complete ones
  // The longest stretch of flat windows, one kStep behind another, that are no lists.
  size_t flat = 0;            // windows
  size_t begin = 0, end = 0;  // bytes
  size_t repeats = 0;         // in the flattest of them

  // Memory: where a word was last. What is before `start` is of an earlier text.
  struct Seen {
    uint32_t hash = 0, place = 0;
  };
  std::array<std::array<Seen, 2>, 1024> last{};
  uint32_t start = 1;
};

// Linear. `code` is Markup::code of the text, which is passed over. Replaces what *out says.
void read_word_windows(std::string_view text, std::span<const Place> code, WordWindows* out);

}  // namespace vaa
