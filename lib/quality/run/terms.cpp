#include "quality/run/terms.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "quality/text_hash.h"

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

uint32_t short_hash(uint64_t h) {
  const auto folded = static_cast<uint32_t>(h ^ h >> 32);
  return folded == 0 ? 1 : folded;
}

// The three bytes of a sign; not 0.
uint32_t sign_at(std::string_view text, size_t at) {
  uint32_t out = 0;
  std::memcpy(&out, text.data() + at, std::min<size_t>(3, text.size() - at));
  return out;
}

// Bit 5 makes letters small and leaves digits as they are.
uint32_t hash_word(std::string_view word) {
  uint64_t h = word.size();
  for (; !word.empty(); word.remove_prefix(std::min<size_t>(8, word.size()))) {
    uint64_t piece = 0;
    std::memcpy(&piece, word.data(), std::min<size_t>(8, word.size()));
    h = (h ^ (piece | 0x2020202020202020ULL)) * 0x9e3779b97f4a7c15ULL;
    h ^= h >> 29;
  }
  return short_hash(mixed(h));
}

}  // namespace

bool TermReader::next(uint32_t* term) {
  while (at_ < text_.size()) {
    const Step step = step_at(text_, at_);
    if (step.kind == Kind::kWord) {
      before_ = 0;
      if (word(term)) return true;
      continue;
    }
    const uint32_t before = before_;
    before_ = step.kind == Kind::kSign ? sign_at(text_, at_) : 0;
    at_ += step.size;
    if (before == 0 || before_ == 0) continue;
    *term = short_hash(mixed(uint64_t{before} << 32 | before_));
    return true;
  }
  return false;
}

// Takes a word or number; true where it is a term.
bool TermReader::word(uint32_t* term) {
  const size_t begin = at_;
  bool digits = true;
  for (; at_ < text_.size(); ++at_) {
    const Class what = class_at(text_, at_);
    if (what == kBlank || (what == kLead && step_at(text_, at_).kind != Kind::kWord)) break;
    digits = digits && what == kDigit;
  }
  std::string_view found = text_.substr(begin, at_ - begin);
  if (!digits) {
    if (found.size() > kLeastLetters && (found.back() | 32) == 's') found.remove_suffix(1);
    if (found.size() < kLeastLetters) return false;
    *term = hash_word(found);
    return true;
  }
  // "1,000" is one number.
  char number[32];
  size_t size = found.copy(number, sizeof(number));
  while (at_ + 1 < text_.size() && text_[at_] == ',' && class_at(text_, at_ + 1) == kDigit) {
    for (++at_; at_ < text_.size() && class_at(text_, at_) == kDigit; ++at_) {
      if (size < sizeof(number)) number[size++] = text_[at_];
    }
  }
  if (size < kLeastDigits) return false;
  *term = hash_word({number, size});
  return true;
}

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
  TermReader reader(text);
  uint32_t term = 0;
  while (terms_.size() < max && reader.next(&term)) add(term);
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
