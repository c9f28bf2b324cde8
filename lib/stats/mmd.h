// Whether two sets of answers to the same prompts come from one distribution, by nothing but their ids.
#pragma once
#include <cstdint>
#include <span>

namespace vaa::stats {

// Answers of one side: prompts[i] is the prompt of answer i, any number; lengths[i] the count of its ids, which stand in `ids` one answer after the other.
struct Answers {
  std::span<const int64_t> prompts;
  std::span<const int64_t> lengths;
  std::span<const int32_t> ids;
};

struct TwoSample {
  double mmd2 = 0;           // unbiased: 0 on average for the same distribution, may be negative
  double p = 1;              // P(mmd2 as large as this one or larger | the same distribution)
  int64_t at_least = 0;      // splits at least as far apart as the observed one, which counts
  int64_t permutations = 0;  // splits that were looked at, the observed one among them
  bool exact = false;        // all splits
};

// The squared maximum mean discrepancy with the Hamming kernel (Gretton and others 2012; Gao and others, "Model equality testing", 2024): mean k over the pairs
// within the reference and over those within the target, less twice the mean k over pairs across, always of answers to the same prompt. k is the share of
// positions at which two answers agree, up to the longest answer's length, those after both ends among them.
//
// p by permutation within each prompt, where answers are exchangeable if the sides are alike: all splits where they are at most `permutations`, and otherwise
// (1 + b) / (1 + permutations) with b of that many random splits, drawn from `seed`, at least as far apart; never 0.
//
// Every prompt has an answer on both sides, one has two in the reference and one in the target. Anything else, and more than 2^24 pairs, 10^6 permutations, or 10^11 pairs times
// permutations or times the longest answer's length, is a Failure (VAA_ERROR_ARGUMENT). Cost: the pairs times their length, and the pairs times the splits.
TwoSample mmd_test(const Answers& reference, const Answers& target, int64_t permutations, uint64_t seed);

}  // namespace vaa::stats
