#include "quality/run/terms.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "quality/word_scan.h"

namespace vaa {
namespace {

constexpr size_t kLeastLetters = 4, kLeastDigits = 2;

enum class Kind : uint8_t { kGap, kWord, kSign };  // kSign: a character that is a term with its neighbour
struct Step {
  Kind kind = Kind::kGap;
  size_t size = 1;
};

// What a byte begins. kLead: the bytes after it tell.
enum Class : uint8_t { kBlank, kLetter, kDigit, kLead };
constexpr std::array<Class, 256> kClass = [] {
  std::array<Class, 256> table{};
  for (size_t c = 0; c < 26; ++c) table['a' + c] = table['A' + c] = kLetter;
  for (size_t c = 0; c < 10; ++c) table['0' + c] = kDigit;
  for (size_t c = 0x80; c < 256; ++c) table[c] = kLetter;
  for (size_t c = 0xE2; c <= 0xEF; ++c) table[c] = kLead;
  table[0xC2] = kLead;
  table[0xEE] = kLetter;
  return table;
}();
Class class_at(std::string_view text, size_t at) { return kClass[static_cast<unsigned char>(text[at])]; }

// By lead bytes: U+2000 to U+2BFF, U+3000 to U+303F and the fullwidth marks are gaps, U+3040 to U+D7FF signs, what else is not ASCII belongs to a word.
Step step_at(std::string_view text, size_t at) {
  const Class what = class_at(text, at);
  if (what != kLead) return {what == kBlank ? Kind::kGap : Kind::kWord, 1};
  const auto c = static_cast<unsigned char>(text[at]);
  const unsigned second = at + 1 < text.size() ? static_cast<unsigned char>(text[at + 1]) : 0;
  if (c == 0xC2) return {Kind::kGap, 2};
  if (c == 0xEF || (c == 0xE2 && second < 0xB0) || (c == 0xE3 && second == 0x80)) return {Kind::kGap, 3};
  return c == 0xE2 ? Step{Kind::kWord, 1} : Step{Kind::kSign, 3};
}

uint32_t high_half(uint64_t h) { return std::max<uint32_t>(static_cast<uint32_t>(h >> 32), 1); }

// The three bytes of a sign, or those there are; not 0.
uint32_t sign_at(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[at + i])); };
  if (at + 3 <= text.size()) return byte(0) | byte(1) << 8 | byte(2) << 16;
  uint32_t out = 0;
  for (size_t i = 0; i < 3; ++i) out |= at + i < text.size() ? static_cast<uint32_t>(static_cast<unsigned char>(text[at + i])) << 8 * i : 0;
  return out;
}
uint32_t hash_signs(uint32_t one, uint32_t next) { return high_half((uint64_t{one} << 24 | next) * word_scan::kMix); }

// Of text[begin, end). Bit 5 makes letters small and leaves digits as they are.
uint32_t hash_word(std::string_view text, size_t begin, size_t end) {
  uint64_t h = end - begin;
  for (size_t at = begin; at < end; at += 8) {
    const uint64_t mask = end - at < 8 ? (uint64_t{1} << 8 * (end - at)) - 1 : ~uint64_t{0};
    h = word_scan::mixed(h, (word_scan::piece_at(text, at) & mask) | word_scan::kNoCase);
  }
  return high_half(h * word_scan::kMix);
}

// Reads terms from the front of a text.
class TermReader {
 public:
  explicit TermReader(std::string_view text) : text_(text) {}
  // Calls take(term) for each term, until it returns false.
  template <class Take>
  void each(const Take& take) {
    uint32_t before = 0;  // the character before, of a script without spaces; 0: none
    while (at_ < text_.size()) {
      const Step step = utf8_common_han(text_, at_) != 0 ? Step{Kind::kSign, 3} : step_at(text_, at_);
      if (step.kind == Kind::kWord) {
        before = 0;
        uint32_t term = 0;
        if (word(&term) && !take(term)) return;
        continue;
      }
      const uint32_t now = step.kind == Kind::kSign ? sign_at(text_, at_) : 0;
      at_ += step.size;
      if (before != 0 && now != 0 && !take(hash_signs(before, now))) return;
      before = now;
    }
  }

 private:
  bool word(uint32_t* term);
  std::string_view text_;
  size_t at_ = 0;
};

// Takes a word or number; true where it is a term.
bool TermReader::word(uint32_t* term) {
  const size_t begin = at_;
  for (size_t letters = 8; letters == 8 && at_ < text_.size(); at_ += letters) letters = word_scan::letters_of(word_scan::piece_at(text_, at_));
  bool digits = at_ == begin;
  for (; at_ < text_.size(); ++at_) {
    const Class what = class_at(text_, at_);
    if (what == kBlank || (what == kLead && step_at(text_, at_).kind != Kind::kWord)) break;
    digits = digits && what == kDigit;
  }
  if (!digits) {
    const size_t end = at_ - begin > kLeastLetters && (text_[at_ - 1] | 32) == 's' ? at_ - 1 : at_;
    if (end - begin < kLeastLetters) return false;
    *term = hash_word(text_, begin, end);
    return true;
  }
  // "1,000" is one number.
  char number[32];
  size_t size = text_.substr(begin, at_ - begin).copy(number, sizeof(number));
  while (at_ + 1 < text_.size() && text_[at_] == ',' && class_at(text_, at_ + 1) == kDigit) {
    for (++at_; at_ < text_.size() && class_at(text_, at_) == kDigit; ++at_) {
      if (size < sizeof(number)) number[size++] = text_[at_];
    }
  }
  if (size < kLeastDigits) return false;
  *term = hash_word({number, size}, 0, size);
  return true;
}

}  // namespace

void TermList::clear() {
  terms_.clear();
  slots_.assign(kSlots, 0);
}

int TermList::find(uint32_t term) const {
  for (size_t slot = term % kSlots; slots_[slot] != 0; slot = (slot + 1) % kSlots) {
    if (terms_[slots_[slot] - 1U] == term) return slots_[slot] - 1;
  }
  return -1;
}

bool TermList::mark(std::string_view text, int enough, uint64_t* used) const {
  // Of the terms that are not used yet, by their low bits: tells most of a text apart from them, where the slots would have to be searched.
  std::array<uint8_t, 4096> unused{};
  const auto count_of = [&](uint32_t term) -> uint8_t& { return unused[term % unused.size()]; };
  for (size_t at = 0; at < terms_.size(); ++at) count_of(terms_[at]) += (*used >> at & 1) == 0;
  bool done = false;
  TermReader(text).each([&](uint32_t term) {
    if (count_of(term) == 0) return true;
    const int at = find(term);
    if (at < 0 || (*used >> at & 1)) return true;
    --count_of(term);
    *used |= uint64_t{1} << at;
    done = std::popcount(*used) >= enough;
    return !done;
  });
  return done;
}

bool TermList::add(uint32_t term) {
  if (find(term) >= 0) return false;
  place(term, terms_.size());
  terms_.push_back(term);
  return true;
}

void TermList::place(uint32_t term, size_t at) {
  size_t slot = term % kSlots;
  while (slots_[slot] != 0) slot = (slot + 1) % kSlots;
  slots_[slot] = static_cast<uint8_t>(at + 1);
}

void TermList::read_first(std::string_view text, size_t max) {
  if (terms_.size() >= max) return;
  TermReader(text).each([&](uint32_t term) {
    add(term);
    return terms_.size() < max;
  });
}

void TermList::read_last(std::string_view text, size_t max) {
  size_t begin = text.size() - std::min(kWindow, text.size());
  const size_t latest = std::min(begin + 64, text.size());
  while (begin > 0 && begin < latest && step_at(text, begin).kind != Kind::kGap) ++begin;
  clear();
  read_first(text.substr(begin), kMostTerms);
  if (terms_.size() <= max) return;
  terms_.erase(terms_.begin(), terms_.end() - static_cast<std::ptrdiff_t>(max));
  slots_.assign(kSlots, 0);
  for (size_t i = 0; i < terms_.size(); ++i) place(terms_[i], i);
}

}  // namespace vaa
