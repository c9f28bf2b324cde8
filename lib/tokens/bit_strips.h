// Distances of sequences that differ much: bit-parallel dynamic programming (Myers 1999 and Hyyro 2003 for Levenshtein, Hyyro 2004 for the longest common subsequence), 64 cells an
// operation. The table is cut into strips of 512 rows; a strip runs over the columns with its eight words in two vectors of four lanes, each lane a column behind the one above it,
// so that no lane waits for another. Between strips go two bits a column. Memory: linear.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "tokens/common_ends.h"

namespace vaa {

class BitStrips {
 public:
  // Which instructions are used: the best there are, or those that a test asks for.
  enum class Isa : uint8_t { kBest, kBase, kAvx2 };
  explicit BitStrips(Isa isa = Isa::kBest) : isa_(isa) {}

  // The Levenshtein distance, or `limit` + 1 where it is more than `limit`. Time: rows times the band of 2 limit + 512 columns, over 64.
  int64_t levenshtein(Ids a, Ids b, int64_t limit);
  // After a distance of more than its limit: what it may be, from how soon the limit was passed.
  int64_t predicted() const { return predicted_; }
  // Of all prefixes of a: the distance of a[0, i) and b, i from 0 to a.size().
  void levenshtein_column(Ids a, Ids b, std::vector<int32_t>* column);
  int64_t common_subsequence(Ids a, Ids b);

 private:
  static constexpr size_t kWords = 8, kRows = 64 * kWords;
  static constexpr size_t kPad = kWords;  // columns before the first and after the last, which match nothing

  void take_symbols(Ids a, Ids b);
  // Where the columns [low, high) find their words in table_, for the rows from `first`.
  void load_strip(size_t first, size_t low, size_t high);
  void sweep_edit(size_t low, size_t high, std::array<uint64_t, kWords>* plus, std::array<uint64_t, kWords>* minus);
  void sweep_common(size_t high, std::array<uint64_t, kWords>* rows);

  Isa isa_;
  size_t rows_ = 0, columns_ = 0;
  int64_t predicted_ = 0;
  std::vector<int32_t> keys_;       // open addressing: id to dense symbol
  std::vector<int32_t> values_;
  std::vector<int32_t> a_, b_;      // dense symbols; -1 in b_: does not occur in a
  std::vector<uint16_t> place_;     // by symbol: its row of the strip's table; 0: does not occur in the strip
  std::vector<uint64_t> table_;     // kWords a row; row 0 matches nothing
  std::vector<uint32_t> offsets_;   // by column, kPad more on both sides
  std::vector<uint8_t> boundary_;   // by column: bit 0 the value rises there, bit 1 it falls (edit); bit 0 the carry (common)
};

}  // namespace vaa
