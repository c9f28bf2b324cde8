#include "records/lines.h"

#include <cstring>

namespace vaa {

// Index of the byte that ends the line, searched from `from` on; npos: not in memory.
size_t LineReader::find_end(size_t from) {
  const std::string_view bytes = window_->bytes();
  size_t found = std::string_view::npos;
  if (from < bytes.size()) {
    const void* at = std::memchr(bytes.data() + from, '\n', bytes.size() - from);
    if (at) found = static_cast<size_t>(static_cast<const char*>(at) - bytes.data());
    if (bare_cr_) {
      const size_t end = found == std::string_view::npos ? bytes.size() : found;
      const void* cr = std::memchr(bytes.data() + from, '\r', end - from);
      if (cr) found = static_cast<size_t>(static_cast<const char*>(cr) - bytes.data());
    }
  }
  return found;
}

// Takes the rest of a line that is not kept; of the line so far `scanned` bytes are in memory and hold no end.
void LineReader::skip_rest(size_t scanned) {
  for (;;) {
    window_->take(scanned);
    if (!window_->more()) return;
    const size_t end = find_end(0);
    if (end != std::string_view::npos) {
      after_cr_ = window_->bytes()[end] == '\r';
      window_->take(end + 1);
      return;
    }
    scanned = window_->bytes().size();
  }
}

bool LineReader::next(Line* line) {
  if (after_cr_) {
    after_cr_ = false;
    if (window_->bytes().empty() && !window_->more()) return false;
    if (window_->bytes()[0] == '\n') window_->take(1);
  }
  size_t scanned = 0;
  size_t end = find_end(0);
  while (end == std::string_view::npos) {
    scanned = window_->bytes().size();
    if (static_cast<int64_t>(scanned) > max_line_ || !window_->more()) break;
    end = find_end(scanned);
  }
  const std::string_view bytes = window_->bytes();
  if (bytes.empty()) return false;
  const bool ended = end != std::string_view::npos;
  const size_t size = ended ? end : bytes.size();
  *line = Line{bytes.substr(0, size), ++number_, window_->offset(), static_cast<int64_t>(size) > max_line_};
  if (line->too_long) {
    line->bytes = {};
    if (ended) window_->take(size + 1);
    else skip_rest(size);
    return true;
  }
  after_cr_ = ended && bytes[size] == '\r';
  window_->take(size + (ended ? 1 : 0));
  if (!line->bytes.empty() && line->bytes.back() == '\r') line->bytes.remove_suffix(1);
  return true;
}

}  // namespace vaa
