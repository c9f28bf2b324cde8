// The lines of a text, each as a view into memory where it lies whole. A line over max_line is skipped to its end without being kept.
#pragma once
#include <cstdint>
#include <string_view>

#include "records/source.h"

namespace vaa {

// Index of the first CR or LF from `from` on; npos: there is none. Linear in what it passes, however many of the one there are and none of the other.
size_t find_cr_or_lf(std::string_view bytes, size_t from);

struct Line {
  std::string_view bytes;  // without its end; valid until the next call
  int64_t number = 0;      // from 1
  int64_t offset = 0;      // in the text, of its first byte
  bool too_long = false;   // over max_line: bytes is empty
};

class LineReader {
 public:
  // bare_cr: a carriage return alone ends a line, too (server-sent events).
  LineReader(ByteWindow* window, int64_t max_line, bool bare_cr = false) : window_(window), max_line_(max_line), bare_cr_(bare_cr) {}
  bool next(Line* line);  // false: the end
  int64_t count() const { return number_; }  // lines so far

 private:
  size_t find_end(size_t from);
  void skip_rest(size_t scanned);
  ByteWindow* window_;
  int64_t max_line_;
  int64_t number_ = 0;
  bool bare_cr_;
  bool after_cr_ = false;  // the last line ended in a bare CR: a line feed that follows belongs to it
};

}  // namespace vaa
