// A pair of strips, compared: one row of pairs and its rows of positions.
#pragma once
#include <string>
#include <vector>

#include "base/exact_sum.h"
#include "compare/token_strip.h"

namespace vaa {

// Exact sums of a straight line through (x, y): the same bits in any order.
class LineSums {
 public:
  void add(double x, double y);
  ModeFit fit() const;

 private:
  ExactSum x_, y_, xx_, xy_, yy_;
};

struct ComparedPair {
  TokenPair pair;
  TokenRows rows;
  int32_t reference_question = -1;  // of the reference's side
  int32_t repeat = 0;
  int64_t at = -1;
  int64_t arrival = 0;              // of the reference's strip
  bool listed = true;               // false: sampled without a common seed, only the prompts were looked at
  bool temperature_unknown = false, without_prompt = false;
  std::string prompt;               // how the prompts differ; "" : they do not
  std::string modes;                // both modes of the logprobs, where they differ
  std::string handling;             // what was made of the same ids
};

class PairReader {
 public:
  // `vocab` may be null and is borrowed.
  explicit PairReader(const Vocab* vocab) : diff_({32, false}, vocab), bytes_({1, false}, vocab), vocab_(vocab) {}
  // Linear in the ids, k log k a position.
  ComparedPair compare(const TokenStrip& reference, const TokenStrip& target, LineSums* fit);

 private:
  void take_prompts(const TokenStrip& reference, const TokenStrip& target, ComparedPair* out);
  void take_ids(const TokenStrip& reference, const TokenStrip& target, ComparedPair* out);
  void take_handling(const TokenStrip& reference, const TokenStrip& target, ComparedPair* out);
  void take_row(const TokenStrip& reference, const TokenStrip& target, size_t i, ComparedPair* out, LineSums* fit);
  void take_swing(const TokenStrip& reference, const TokenStrip& target, size_t i, ComparedPair* out);
  void take_kl(const TokenList& reference, const TokenList& target, TokenRows* rows);
  TokenDiff diff_, bytes_;
  const Vocab* vocab_;
  std::vector<int32_t> left_ids_, right_ids_;
  std::vector<double> left_, right_;
};

}  // namespace vaa
