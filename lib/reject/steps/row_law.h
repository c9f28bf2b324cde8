// The laws that a rule of rejection sampling makes: how likely a draft is accepted, and of what the token is drawn that stands in for a rejected one (sampling.md §2).
#pragma once
#include <span>

#include "reject/steps/step_row.h"

namespace vaa {

// Chance that each draft is accepted when it is reached, into `out` (one a draft). NaN: what is recorded does not tell. A padded draft (-1): 0. With `full` also what needs whole rows: the entropy of the declared
// lossy rules where it is not recorded, block verification of drafts that have a law.
void accept_chances(const StepRow& row, const StepHeader& header, const FullRows* full, std::span<double> out);

// The law of the token that stands in for the rejected draft `at`, into `out`. False: not known, or nothing is left. `out` sums to 1.
bool residual_law(const StepRow& row, const StepHeader& header, const FullRows& full, size_t at, std::span<double> out);

// Shared with the laws of faults.
double row_entropy(std::span<const double> p);                     // in nats
bool normalise(std::span<double> weights);                         // false: the sum is 0 or no number
bool without_draft(std::span<const double> p, int32_t draft, std::span<double> out);     // p without d, normalised
bool positive_part(std::span<const double> p, std::span<const double> q, std::span<double> out);  // max(p - q, 0), normalised
size_t likeliest(std::span<const double> p);                       // the first of them

}  // namespace vaa
