// Repetition at the end of a text whose copies differ a little: by their numbers, or by a word or two each (docs/detectors.md, counter_loop).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "quality/word_scan.h"

namespace vaa {

struct NearLoop {
  size_t begin = 0, end = 0;  // bytes
  size_t count = 0;           // copies; 0: nothing found
  size_t numbers = 0;         // differ from copy to copy
  size_t changes = 0;         // stretches of other words that do
  // Behind the first copy: words as in the copy before; all words, those that changed counted on the side that has more; signs and numbers.
  size_t kept = 0, words = 0, others = 0;
  size_t letters = 0;         // of the kept ones, those that are one letter of a script without blanks
  size_t last_copy = 0;       // byte at which the last whole copy begins
  size_t cover() const { return end - begin; }
};

struct NearLoops {
  NearLoop numbers;  // nothing but numbers differs
  NearLoop words;    // other words may
};

struct NearLoopMemory {
  std::vector<ScannedWord> words;
  std::vector<uint32_t> last, votes;
};

// The words of the last `bytes` of the text. Replaces *out. Linear in `bytes`.
void read_last_words(std::string_view text, size_t bytes, std::vector<ScannedWord>* out);

// The widest such repetitions that last to the end of `text`, among the distances at which pairs of words recur most. Linear in what repeats (at most 1 MiB), or in the last 4 KiB.
NearLoops find_near_loops(std::string_view text, NearLoopMemory* memory);

}  // namespace vaa
