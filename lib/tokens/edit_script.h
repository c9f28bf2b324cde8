// Which pieces of two sequences correspond, by a shortest Levenshtein script in linear memory (Hirschberg 1975): nearly equal pieces by diagonals, the others halved by bit-parallel columns.
#pragma once
#include <cstdint>
#include <vector>

#include "tokens/bit_strips.h"
#include "tokens/diagonals.h"

namespace vaa {

// reference[reference_at, + reference_size) stands where target[target_at, + target_size) does.
struct Hunk {
  int64_t reference_at, reference_size, target_at, target_size;
};

class EditScript {
 public:
  // The hunks of a and b, in order.
  void hunks(Ids a, Ids b, std::vector<Hunk>* out);

 private:
  size_t best_split(Ids a, Ids b, size_t half);
  void align(Ids a, Ids b, int64_t from_a, int64_t from_b);
  BitStrips strips_;
  Diagonals diagonals_;
  std::vector<Match> matches_;
};

}  // namespace vaa
