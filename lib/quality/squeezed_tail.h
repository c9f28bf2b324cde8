// Exact repetition at the end of a text whose copies differ in white space only.
#pragma once
#include <cstddef>
#include <string_view>

#include "quality/runs.h"

namespace vaa {

struct SqueezedTail {
  size_t begin = 0, end = 0;  // bytes of the text
  size_t count = 0;           // whole copies; 0: nothing found
  size_t cover = 0;           // bytes without white space
};

// The widest of find_tail_run in `text` without its white space (ASCII). Looked for only where a word of the last 256 bytes comes four times in the last 16 KiB. Linear in what
// repeats (at most 1 MiB), or in these.
SqueezedTail find_squeezed_tail(std::string_view text, RunScratch* scratch);

}  // namespace vaa
