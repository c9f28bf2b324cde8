#include "quality/odd_characters.h"

#include <algorithm>

#include "quality/byte_lanes.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace vaa {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;
constexpr uint64_t kAllowedControls = control_bit('\t') | control_bit('\n') | control_bit('\r');

// True where one of the 16 bytes at p may end an odd character of valid text: a control character; .. BF BD, BF BE, BF BF (U+FFFD and noncharacters at the end
// of a plane, a few others); EF B7 90..AF (U+FDD0..FDEF). Looks two bytes back.
bool suspicious(const char* p) {
  const ByteLanes now = load_lanes(p), one = load_lanes(p - 1), two = load_lanes(p - 2);
  const auto control = ((now < 0x20) & (now != '\t') & (now != '\n') & (now != '\r')) | (now == 0x7F);
  const auto last = (one == 0xBF) & (now >= 0xBD);
  const auto block = (two == 0xEF) & (one == 0xB7) & (now >= 0x90) & (now <= 0xAF);
  return any_lane(control | last | block);
}

class Collector {
 public:
  Collector(std::string_view text, uint64_t ignored) : text_(text), allowed_(kAllowedControls | ignored) {}

  // The characters that begin in [begin, end); returns where the next one begins.
  size_t read(size_t begin, size_t end) {
    size_t at = begin;
    while (at < end) {
      const Utf8Step step = utf8_step(text_, at);
      if (step.size == 0) break;
      if (!step.valid) {
        add(&odd_.invalid, at, step.size);
      } else if (step.code < 0x80) {
        if (step.code < 0x20 || step.code == 0x7F) control(at, static_cast<unsigned char>(step.code));
      } else if (step.code == kReplacement) {
        add(&odd_.replacement, at, step.size);
      } else if ((step.code & 0xFFFE) == 0xFFFE || (step.code >= 0xFDD0 && step.code <= 0xFDEF)) {
        add(&odd_.invalid, at, step.size);
      }
      at += step.size;
    }
    return at;
  }
  OddCharacters& result() { return odd_; }

 private:
  // A form feed alone on its line parts the pages of source code.
  bool parts_pages(size_t at) const {
    return text_[at] == '\f' && at > 0 && text_[at - 1] == '\n' && at + 1 < text_.size() && (text_[at + 1] == '\n' || text_[at + 1] == '\r');
  }
  void control(size_t at, unsigned char c) {
    if ((allowed_ & control_bit(c)) || parts_pages(at)) return;
    odd_.controls |= control_bit(c);
    add(&odd_.control, at, 1);
  }
  static void add(Spot* spot, size_t at, size_t size) {
    if (spot->count++ == 0) spot->first = at;
    if (spot->first + spot->length == at) spot->length += size;
  }
  std::string_view text_;
  uint64_t allowed_;
  OddCharacters odd_;
};

}  // namespace

size_t unfinished_bytes(std::string_view text) {
  for (size_t back = 1; back <= 3 && back <= text.size(); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0) == 0x80) continue;
    const size_t wanted = byte < 0xC2 || byte > 0xF4 ? 0 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    return wanted > back ? back : 0;
  }
  return 0;
}

OddCharacters find_odd_characters(std::string_view text, uint64_t ignored_controls) {
  Collector collector(text, ignored_controls);
  const Utf8Size size = utf8_size(text);
  if (!size.valid) {
    collector.read(0, text.size());
  } else {
    // Blocks of 16 from byte 2 on. A suspicious one is read from the character that its first byte belongs to.
    size_t at = std::min<size_t>(2, text.size());
    size_t read_to = collector.read(0, at);
    for (; at + kLanes <= text.size(); at += kLanes)
      if (suspicious(text.data() + at)) read_to = collector.read(std::max(read_to, utf8_floor(text, at)), at + kLanes);
    collector.read(std::max(read_to, utf8_floor(text, at)), text.size());
  }
  OddCharacters& odd = collector.result();
  odd.characters = size.characters;
  odd.unfinished = unfinished_bytes(text);
  odd.ends_in_replacement = text.size() >= 3 && text.compare(text.size() - 3, 3, "\xEF\xBF\xBD") == 0;
  return odd;
}

}  // namespace vaa
