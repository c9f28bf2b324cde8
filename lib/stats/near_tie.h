// Near tie or bug: the first divergence of two greedy outputs, where both sides' distributions are conditioned on the same tokens.
#pragma once
#include <cstdint>
#include <span>

namespace vaa::stats {

// The likeliest tokens at that position on one side, and the one it chose, which must be among them.
struct TopTokens {
  std::span<const int32_t> ids;
  std::span<const double> logprobs;  // nats
  int32_t chosen = 0;
};

enum class SwingClass : uint8_t { kExactTie = 0, kNearTie = 1, kSuspect = 2, kUndetermined = 3 };

// By how much the two sides disagree about the pair of tokens r and t that they chose, in nats. Where a list does not hold the other side's token its last
// logprob stands for that one's, and the swing is a lower bound.
struct Swing {
  double reference_gap = 0;  // lp_ref(r) - lp_ref(t)
  double target_gap = 0;     // lp_tgt(t) - lp_tgt(r)
  double swing = 0;          // their sum
  bool is_bound = false;
  SwingClass kind = SwingClass::kExactTie;  // exact tie: 0; near tie: at most tau; suspect: above; undetermined: a bound of at most tau, so that a longer list is needed
};
// What is out of range is a Failure (VAA_ERROR_ARGUMENT).
Swing first_divergence_swing(const TopTokens& reference, const TopTokens& target, double tau);

}  // namespace vaa::stats
