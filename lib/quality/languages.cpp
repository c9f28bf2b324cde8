#include "quality/languages.h"

#include <algorithm>
#include <bit>

#include "quality/word_scan.h"

namespace vaa {
namespace {

constexpr size_t kMaxBytes = 8;  // of a small word; longer ones are not looked for
constexpr size_t kSlots = 2048;  // of a table of about 800 words

struct Slot {
  uint64_t word = 0;       // its bytes
  uint16_t languages = 0;  // bits
};

size_t slot_of(uint64_t word) { return (word * 0x9E3779B97F4A7C15U) >> 53; }

// Open addressing.
class Table {
 public:
  Table() {
    for (size_t i = 0; i < kLanguages; ++i) {
      uint64_t word = 0;
      size_t size = 0;
      for (const char* c = kStopWords[i].words;; ++c) {
        if (*c != ' ' && *c != 0) {
          word = word << 8 | static_cast<unsigned char>(*c);
          ++size;
          continue;
        }
        if (size <= kMaxBytes) add(word, static_cast<uint16_t>(1U << i));
        word = size = 0;
        if (*c == 0) break;
      }
    }
  }
  size_t find(uint64_t word) const {
    size_t i = slot_of(word);
    while (slots_[i].word != 0 && slots_[i].word != word) i = (i + 1) % kSlots;
    return i;
  }
  unsigned languages(size_t slot) const { return slots_[slot].languages; }

 private:
  void add(uint64_t word, uint16_t language) {
    const size_t i = find(word);
    slots_[i].word = word;
    slots_[i].languages |= language;
  }
  std::array<Slot, kSlots> slots_{};
};
static_assert(kSlots == size_t{1} << (64 - 53));

const Table& table() {
  static const Table kTable;
  return kTable;
}

// Of a byte: 0 where it parts words, else itself, ASCII capitals made small.
constexpr std::array<uint8_t, 256> kSmall = [] {
  std::array<uint8_t, 256> small{};
  for (size_t c = 0; c < 256; ++c) small[c] = c >= 'A' && c <= 'Z' ? static_cast<uint8_t>(c + 32) : (c >= 'a' && c <= 'z') || c >= 0x80 ? static_cast<uint8_t>(c) : 0;
  return small;
}();

// The lowest bytes, the first of them highest, as Table has them.
uint64_t first_bytes(uint64_t piece, size_t bytes) { return __builtin_bswap64(piece) >> 8 * (8 - bytes); }

}  // namespace

void WordCounts::read(std::string_view text, size_t* at, size_t words) {
  const Table& known = table();
  size_t i = *at;
  const auto small = [&](size_t k) { return kSmall[static_cast<unsigned char>(text[k])]; };
  while (words > 0 && i < text.size()) {
    while (i < text.size() && small(i) == 0) ++i;
    const size_t begin = i;
    const uint64_t piece = word_scan::piece_at(text, i);
    const size_t letters = word_scan::letters_of(piece);
    uint64_t word = 0;
    if (letters > 0 && letters < 8 && (i + letters == text.size() || small(i + letters) == 0)) {
      word = first_bytes(piece | word_scan::kNoCase, letters);
      i += letters;
    } else {
      for (uint8_t c; i < text.size() && (c = small(i)) != 0; ++i) word = word << 8 | c;
      if (i == begin) break;
    }
    ++words_;
    --words;
    if (i - begin > kMaxBytes) continue;
    const size_t slot = known.find(word);
    any_ = any_ || known.languages(slot) != 0;
    for (unsigned bits = known.languages(slot); bits != 0; bits &= bits - 1) {
      const auto language = static_cast<size_t>(std::countr_zero(bits));
      ++hits_[language];
      kinds_[language] |= uint64_t{1} << (slot % 64);
    }
  }
  *at = i;
}

Language WordCounts::most() const { return static_cast<Language>(std::max_element(hits_.begin(), hits_.end()) - hits_.begin()); }

Language WordCounts::language() const {
  const auto best = static_cast<size_t>(most());
  size_t second = 0;
  for (size_t i = 0; i < kLanguages; ++i)
    if (i != best) second = std::max<size_t>(second, hits_[i]);
  const bool clear = words_ > 0 && std::popcount(kinds_[best]) >= 5 && hits_[best] * 5 >= words_ && hits_[best] * 2 >= second * 3;
  return clear ? static_cast<Language>(best) : Language::kUnclear;
}

}  // namespace vaa
