// The words and numbers of a text that tell what it is about, as hashes: words of four letters and more, numbers of two digits and more, and pairs of neighbours where a script writes no
// spaces (Han, Kana, Hangul). Case and a plural s do not count.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace vaa {

// Distinct terms in the order in which they first stand. Keeps its memory.
class TermList {
 public:
  static constexpr size_t kWindow = 1024, kMostTerms = 250;
  void clear();
  // Of the last kWindow bytes, the `max` distinct terms that come last: what a prompt asks stands there, behind instructions and examples.
  void read_last(std::string_view text, size_t max);
  // Adds terms of the text, up to `max` (at most kMostTerms) in all.
  void read_first(std::string_view text, size_t max);
  const std::vector<uint32_t>& terms() const { return terms_; }
  // Its place in terms(), -1: not there.
  int find(uint32_t term) const;
  // Sets the bits of terms() (at most 64) that stand in the text, until `enough` are set in *used; true where they are.
  bool mark(std::string_view text, int enough, uint64_t* used) const;

 private:
  static constexpr size_t kSlots = 512;
  bool add(uint32_t term);
  void place(uint32_t term, size_t at);
  std::vector<uint32_t> terms_;
  std::vector<uint8_t> slots_;  // 1 + place in terms_
};

}  // namespace vaa
