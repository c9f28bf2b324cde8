#include "records/lines.h"

#include <algorithm>
#include <cstring>

namespace vaa {

namespace {

size_t find_byte(std::string_view bytes, size_t from, char c) {
  const void* at = from < bytes.size() ? std::memchr(bytes.data() + from, c, bytes.size() - from) : nullptr;
  return at ? static_cast<size_t>(static_cast<const char*>(at) - bytes.data()) : std::string_view::npos;
}

}  // namespace

size_t find_cr_or_lf(std::string_view bytes, size_t from) {
  constexpr size_t kStep = 4096;
  for (; from < bytes.size(); from += kStep) {
    const std::string_view step = bytes.substr(0, from + kStep);
    const size_t line_feed = find_byte(step, from, '\n');
    const size_t found = std::min(line_feed, find_byte(step.substr(0, line_feed), from, '\r'));
    if (found != std::string_view::npos) return found;
  }
  return std::string_view::npos;
}

// Index of the byte that ends the line, searched from `from` on; npos: not in memory.
size_t LineReader::find_end(size_t from) { return bare_cr_ ? find_cr_or_lf(window_->bytes(), from) : find_byte(window_->bytes(), from, '\n'); }

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
