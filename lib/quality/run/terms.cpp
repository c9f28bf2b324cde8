#include "quality/run/terms.h"

#include <algorithm>
#include <cstddef>

#include "quality/text_hash.h"

namespace vaa {
namespace {

constexpr size_t kLeastLetters = 4, kLeastDigits = 2;

enum class Kind : uint8_t { kGap, kWord, kSign };  // kSign: a character that is a term with its neighbour
struct Step {
  Kind kind = Kind::kGap;
  size_t size = 1;
};

bool is_digit(unsigned char c) { return c - unsigned{'0'} < 10; }
bool is_ascii_letter(unsigned char c) { return (c | 32U) - unsigned{'a'} < 26; }

// By lead bytes: U+2000 to U+206F and the fullwidth marks are gaps, U+3040 to U+D7FF signs, what else is not ASCII belongs to a word.
Step step_at(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned c = byte(at);
  if (c < 0x80) return {is_ascii_letter(static_cast<unsigned char>(c)) || is_digit(static_cast<unsigned char>(c)) ? Kind::kWord : Kind::kGap, 1};
  if (c == 0xC2) return {Kind::kGap, 2};
  if (c < 0xE2 || c > 0xEF) return {Kind::kWord, 1};
  const unsigned second = byte(at + 1);
  if (c == 0xE2 && second < 0xB0) return {Kind::kGap, 3};
  if (c == 0xE3 && second == 0x80) return {Kind::kGap, 3};
  if (c == 0xEF) return {Kind::kGap, 3};
  if (c >= 0xE3 && c <= 0xED) return {Kind::kSign, 3};
  return {Kind::kWord, 1};
}

uint32_t short_hash(uint64_t h) {
  const auto folded = static_cast<uint32_t>(h ^ h >> 32);
  return folded == 0 ? 1 : folded;
}

}  // namespace

bool TermReader::next(uint32_t* term) {
  while (at_ < text_.size()) {
    const Step step = step_at(text_, at_);
    const size_t begin = at_;
    if (step.kind == Kind::kSign) {
      const uint32_t sign = short_hash(hash_bytes(1, text_.substr(begin, step.size)));
      const uint32_t before = before_;
      before_ = sign;
      at_ += step.size;
      if (before == 0) continue;
      *term = short_hash(mixed(uint64_t{before} << 32 | sign));
      return true;
    }
    before_ = 0;
    if (step.kind == Kind::kGap) {
      at_ += step.size;
      continue;
    }
    uint64_t hash = 0;
    size_t letters = 0, digits = 0;
    uint64_t without_last = 0;
    unsigned char c = 0;
    while (at_ < text_.size() && step_at(text_, at_).kind == Kind::kWord) {
      c = static_cast<unsigned char>(text_[at_++]);
      is_digit(c) ? ++digits : ++letters;
      without_last = hash;
      hash = (hash ^ (is_ascii_letter(c) ? c | 32U : c)) * 0x9e3779b97f4a7c15ULL;
      // "1,000" is one number.
      if (letters == 0 && at_ + 1 < text_.size() && text_[at_] == ',' && is_digit(static_cast<unsigned char>(text_[at_ + 1]))) ++at_;
    }
    const bool plural = letters > kLeastLetters && (c | 32U) == 's';
    if (letters == 0 ? digits < kLeastDigits : letters + digits < kLeastLetters) continue;
    *term = short_hash(mixed(plural ? without_last : hash));
    return true;
  }
  return false;
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
