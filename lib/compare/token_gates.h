// What steps over tokens share: whether they apply, and how a ratio or a share of suspects becomes a gate.
#pragma once
#include "compare/step.h"
#include "compare/swing_rule.h"

namespace vaa {

// "" or why no greedy answers of the two sides can be held against each other.
Both why_no_greedy(const ComparisonView& view);

// Takes the effect of a log ratio as a ratio, with the gate "no more than `margin`". What has no limit is NaN.
void take_ratio(StepResult* step, const Effect& effect, double margin);
std::string ratio_text(double ratio);          // "1.52"; "∞" for NaN and infinity
Both ratio_words(const StepResult& step);      // "2.03 (95 % interval 1.51 to 2.72)"
// How many questions tell a ratio of `margin` from 1 in 80 % of comparisons, the reference run again growing alike; nothing where they are there or it is not known.
void say_questions_needed(const Effect& effect, double margin, StepResult* step);

// Without the reference against itself only swings of more than a nat count, and more than a tenth of them must be certain: published benign swings stay below 0.4 nats, faults show over one.
constexpr double kSureSwing = 1, kSureShare = 0.1;
struct SuspectShare {
  ClusteredRate suspects, doubtful;        // above tau; and those that a longer list might show to be
  ClusteredRate sure;                      // above the larger one of tau and kSureSwing
  const ClusteredRate* self = nullptr;     // of the reference against itself; nullptr: not measured
};
// The excess over `self` against `margin`; or the share of sure ones against kSureShare, which never passes.
void take_suspects(const ComparisonView& view, const SuspectShare& share, double margin, StepResult* step);

Both tau_words(const TauChoice& tau);
std::string rate_text(const ClusteredRate& rate);  // "3 / 64"
// Rows "exact tie", "near tie", …: counts with the exact interval of each share.
void add_part_rows(const std::array<int64_t, kPartKinds>& of, Section* section);
// How to have the reference differ from itself.
Both how_to_vary();
// Why there is no noise of the reference to hold against: no second run, or one that differs in nothing.
Both why_no_self(const NoiseProfile* noise);
// What would give it.
Both self_needed(const NoiseProfile* noise);

}  // namespace vaa
