// What checks of steps share.
#pragma once
#include <memory>
#include <span>

#include "reject/steps/excess.h"
#include "reject/steps/step_tally.h"

namespace vaa {

// Up to such a share of rows chance or the end of a run may account for what a sound engine does not do.
constexpr double kRareRows = 1e-5;
// A margin where p is another engine's: two engines' bf16 logits move a probability by about 0.01.
constexpr double kRescored = 3;
// Of checks that need whole rows, of which there are few: in margins of a probability.
constexpr double kRowsMargin = 2;
double margin_of(const StepHeader& header, double margin);

// Where a token lies in its law, uniform where it is drawn by it: the mass before it and a random share of its own, which the row's place and the law fix (positions may be left out). Before: the ids below it, or the tokens that are likelier.
double value_by_id(std::span<const double> law, size_t token, double share);
double value_by_rank(std::span<const double> law, size_t token, double share);
double random_share(const StepRow& row, std::span<const double> law, size_t at, uint64_t what);

template <class Tally>
std::unique_ptr<StepTally> make_tally(const StepHeader&) {
  return std::make_unique<Tally>();
}

// "3 of 1,000 rows (0.3 %)".
Both said_share(int64_t k, int64_t n, const char* plural, const char* zh);

}  // namespace vaa
