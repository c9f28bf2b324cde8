#include "quality/spacing.h"

#include <algorithm>
#include <bit>

#include "quality/byte_lanes.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace vaa {
namespace {

constexpr size_t kLongWord = 30;    // letters
constexpr size_t kLeastKinds = 12;  // different letters: not DNA, not a scream

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  void read(size_t begin, size_t end) {
    size_t at = begin, blanks = 0;
    bool word_before = false;  // on this line
    while (at < end) {
      const char c = text_[at];
      if (c == ' ') {
        ++blanks;
        ++at;
      } else if (c == '\n' || c == '\t' || c == '\r') {
        word_before = false;
        blanks = 0;
        ++at;
      } else {
        const size_t first = at;
        const bool letters = word(&at, end);
        if (letters && word_before) gap(first - blanks, blanks);
        word_before = letters;
        blanks = 0;
      }
    }
  }
  const Spacing& result() const { return out_; }

 private:
  void gap(size_t at, size_t blanks) {
    if (blanks == 1) ++out_.single;
    else if (blanks == 2 && out_.doubled++ == 0) out_.gap = {at, blanks};
    else if (blanks > 2) ++out_.wider;
  }
  // The word at *at, which is passed; true where it is of letters, with or without marks.
  bool word(size_t* at, size_t end) {
    const size_t begin = *at;
    size_t letters = 0, capitals = 0, digits = 0, marks = 0;
    uint64_t kinds = 0;  // ASCII letters without case, others by their code
    while (*at < end) {
      const Utf8Step step = utf8_step(text_, *at);
      const uint32_t c = step.code, small = c | 0x20;
      if (step.valid && (c == ' ' || c == '\n' || c == '\t' || c == '\r')) break;
      if (step.valid && c < 0x80 && small - 'a' < 26) {
        ++letters;
        capitals += c < 'a';
        kinds |= uint64_t{1} << (small - 'a');
      } else if (step.valid && c >= 0x80 && is_letter(c)) {
        ++letters;
        kinds |= uint64_t{1} << (26 + c % 38);
      } else if (step.valid && c - '0' < 10) {
        ++digits;
      } else {
        marks += step.valid && (c < 0x80 || code_properties(c).category >= Category::kDash);
      }
      *at += step.size;
    }
    // Long words are prose where they hold letters of many kinds, few capitals, digits and marks, and are no hashtag.
    const bool data = digits * 10 > letters || capitals * 8 > letters || marks * 12 > letters || static_cast<size_t>(std::popcount(kinds)) < kLeastKinds || text_[begin] == '#';
    if (letters == 0 || (data && letters + digits > kLongWord)) return false;
    ++out_.words;
    out_.letters += letters;
    if (letters > kLongWord && out_.glued.size == 0) out_.glued = {begin, *at - begin};
    return digits == 0;
  }

  std::string_view text_;
  Spacing out_;
};

}  // namespace

bool may_be_odd_spacing(std::string_view text) {
  constexpr size_t kRun = 255, kLookBack = 3;
  if (text.size() < kLookBack + kLanes) return true;
  size_t gaps = 0, doubled = 0, at = kLookBack;
  while (at + kLanes <= text.size()) {
    const size_t vectors = std::min((text.size() - at) / kLanes, kRun);
    ByteLanes gap_sum = {}, doubled_sum = {};
    for (size_t i = 0; i < vectors; ++i, at += kLanes) {
      const char* const p = text.data() + at;
      const auto begins = (load_lanes(p) > ' ') & (load_lanes(p - 1) <= ' ');
      gap_sum -= reinterpret_cast<ByteLanes>(begins);
      doubled_sum -= reinterpret_cast<ByteLanes>(begins & (load_lanes(p - 1) == ' ') & (load_lanes(p - 2) == ' ') & (load_lanes(p - 3) > ' '));
    }
    for (size_t i = 0; i < kLanes; ++i) {
      gaps += gap_sum[i];
      doubled += doubled_sum[i];
    }
  }
  return doubled * 3 > gaps || text.size() > kLongWord * (gaps + 1);
}

Spacing read_spacing(std::string_view text, std::span<const Place> code) {
  Reader reader(text);
  size_t at = 0;
  for (const Place& place : code) {
    if (place.at > at) reader.read(at, place.at);
    at = std::max(at, place.at + place.size);
  }
  reader.read(std::min(at, text.size()), text.size());
  return reader.result();
}

}  // namespace vaa
