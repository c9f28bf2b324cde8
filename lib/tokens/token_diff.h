// How two token sequences differ: where they part, by how much, where they agree again.
#pragma once
#include <cstdint>
#include <vector>

#include "text/vocab.h"
#include "tokens/bit_strips.h"
#include "tokens/diagonals.h"
#include "tokens/edit_script.h"
#include "tokens/reconverge.h"

namespace vaa {

struct TokenDiffOptions {
  int64_t window = 32;  // ids that must agree for a re-convergence
  bool lcs = true;      // compute the longest common subsequence
};

// -1: does not apply, or (distances) is more than max_distance or was not asked for.
struct Divergence {
  int64_t reference_size = 0, target_size = 0;
  int64_t first_divergence = -1;      // 0-based; -1: the same
  int64_t prefix = 0, suffix = 0;     // common prefix; common suffix of what follows it
  int64_t levenshtein = -1, lcs = -1, indel = -1;
  int64_t more_than = -1;             // the Levenshtein distance is more than this, and was not computed
  int64_t reconverge_reference = -1, reconverge_target = -1;
  double prefix_ratio = 1;            // of the longer side; both empty: 1
  double normalized_levenshtein = 0, normalized_indel = 0;  // of the longer side, of both sides; NaN where the distance is not known
  bool length_only = false;           // the shorter side is a prefix of the longer one, and they differ
  int8_t same_bytes = -1;             // other ids, the same bytes: 1 yes, 0 no, -1 not known (no vocabulary, or it lacks an id)
};

// Memory is kept from one run to the next.
class TokenDiff {
 public:
  explicit TokenDiff(const TokenDiffOptions& options, const Vocab* vocab = nullptr) : options_(options), vocab_(vocab) {}
  // max_distance below 0: no limit. Near-identical: linear; otherwise the product of the sizes over 64, in linear memory.
  Divergence run(Ids reference, Ids target, int64_t max_distance);
  // Of these two sequences, whatever was run: a shortest script.
  const std::vector<Hunk>& hunks(Ids reference, Ids target);

 private:
  void measure(Ids a, Ids b, int64_t max_distance, Divergence* out);
  TokenDiffOptions options_;
  const Vocab* vocab_;
  BitStrips strips_;
  Diagonals diagonals_;
  Reconvergence reconvergence_;
  EditScript script_;
  std::vector<Hunk> hunks_;
};

}  // namespace vaa
