#include "quality/squeezed_tail.h"

#include <algorithm>

#include "quality/byte_lanes.h"
#include "quality/word_scan.h"

namespace vaa {
namespace {

constexpr size_t kLook = 1 << 14, kMost = 1 << 20;

bool is_blank_byte(char c) { return word_scan::kClasses[static_cast<unsigned char>(c)] == word_scan::kBlank; }

// The longest stretch without white space in the last 256 bytes; its first eight.
std::string_view longest_word(std::string_view text) {
  constexpr size_t kNear = 256, kEnough = 8;
  text = text.substr(text.size() - std::min(text.size(), kNear));
  std::string_view best;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && !is_blank_byte(text[end])) ++end;
    if (end - at > best.size()) best = text.substr(at, end - at);
    at = end + 1;
  }
  return best.substr(0, kEnough);
}

// Whether the same stands before text[one] and text[other], white space aside: kSame bytes, or all that there are.
bool same_before(std::string_view text, size_t one, size_t other) {
  constexpr size_t kSame = 16;
  for (size_t same = 0; same < kSame; ++same) {
    while (one > 0 && is_blank_byte(text[one - 1])) --one;
    while (other > 0 && is_blank_byte(text[other - 1])) --other;
    if (one == 0 || other == 0) return true;
    if (text[--one] != text[--other]) return false;
  }
  return true;
}

// A word that ends a run comes again in each copy, behind the same: false says that there is no run. Sixteen places are looked at at once, by three bytes of the word.
bool recurs(std::string_view text, std::string_view word) {
  if (word.empty() || text.size() < 8) return false;
  const size_t last = static_cast<size_t>(word.data() - text.data());
  const uint64_t mask = word.size() == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * word.size()) - 1, wanted = word_scan::piece_at(word, 0);
  const size_t some[] = {word.size() / 4, word.size() / 2, word.size() - 1};
  const auto lanes = [&](size_t i) { return ByteLanes{} + static_cast<uint8_t>(word[some[i]]); };
  const ByteLanes one = lanes(0), two = lanes(1), three = lanes(2);
  size_t found = 0;
  for (size_t i = 0; i + 8 <= text.size();) {
    if (i + kLanes + 8 <= text.size()) {
      const char* const p = &text[i];
      if (!any_lane((load_lanes(p + some[0]) == one) & (load_lanes(p + some[1]) == two) & (load_lanes(p + some[2]) == three))) {
        i += kLanes;
        continue;
      }
    }
    for (const size_t end = std::min(i + kLanes, text.size() - 7); i < end; ++i)
      if ((word_scan::piece_at(text, i) & mask) == wanted && same_before(text, i, last)) ++found;
  }
  return found + 1 >= RunLimits<uint8_t>::kMinCount;
}

}  // namespace

SqueezedTail find_squeezed_tail(std::string_view text, RunScratch* scratch) {
  if (!recurs(text.substr(text.size() - std::min(text.size(), kLook)), longest_word(text))) return {};
  std::vector<uint8_t>& bytes = scratch->squeezed();
  std::vector<uint32_t>& places = scratch->places();
  for (size_t look = kLook;; look *= 4) {
    const size_t from = text.size() - std::min(text.size(), look);
    bytes.clear();
    places.clear();
    for (size_t i = from; i < text.size(); ++i) {
      if (is_blank_byte(text[i])) continue;
      bytes.push_back(static_cast<uint8_t>(text[i]));
      places.push_back(static_cast<uint32_t>(i - from));
    }
    const Run run = find_tail_run(std::span<const uint8_t>(bytes), scratch);
    if (run.period == 0) return {};
    if (run.begin == 0 && from > 0 && look < kMost) continue;  // it may begin before what was looked at
    return {from + places[run.begin], from + places[run.end - 1] + 1, run.count(), run.cover()};
  }
}

}  // namespace vaa
