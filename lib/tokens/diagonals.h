// Distances and alignments of sequences that are nearly the same: furthest reaching points on diagonals (Landau and Vishkin 1989 with substitutions, Myers 1986 without). Time about
// N + D^2 compares, memory O(D); O(D^2) with a trace.
#pragma once
#include <cstdint>
#include <vector>

#include "tokens/common_ends.h"

namespace vaa {

struct DiagonalResult {
  int64_t distance = -1;   // -1: given up
  int64_t predicted = -1;  // where it was given up: what its progress predicts, at least the edits tried
};

// Ids that agree: a[at_a, at_a + size) and b[at_b, at_b + size).
struct Match {
  int64_t at_a, at_b, size;
};

class Diagonals {
 public:
  // `limit`: edits at most. `leave_at`: give up as soon as the progress predicts more than that.
  DiagonalResult levenshtein(Ids a, Ids b, int64_t limit, int64_t leave_at) { return run<true, false>(a, b, limit, leave_at); }
  DiagonalResult indel(Ids a, Ids b, int64_t limit, int64_t leave_at) { return run<false, false>(a, b, limit, leave_at); }
  // The matches of a shortest Levenshtein script, in order, with `from_a` and `from_b` added to where they are. False, and nothing added: more than `limit` edits.
  bool trace(Ids a, Ids b, int64_t limit, int64_t from_a, int64_t from_b, std::vector<Match>* matches);

 private:
  template <bool kSubstitutes, bool kKeep>
  DiagonalResult run(Ids a, Ids b, int64_t limit, int64_t leave_at);
  // The furthest index in a, by diagonal (index in b minus index in a): of the last two numbers of edits, or, for a trace, of all.
  std::vector<int32_t> rows_[2], history_;
};

}  // namespace vaa
