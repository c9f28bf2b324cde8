// The law of one place of a step under the right rule or under a known fault, in whole.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "reject/steps/step_row.h"

namespace vaa {

struct PlaceLaw {
  double accept = 0;               // chance that the draft is accepted when it is reached
  std::vector<double> recovered;   // the token in place of a rejected draft; all 0: no draft is rejected
  std::vector<double> emitted;     // the token put out there
};

// rows.q empty: drafts have no law. `drafts`: up to place `at` at least; one that ends before `at` leaves the draft there open: it is of `draft_law`, or where that is empty of q, or of what the fault makes of it.
// fault "": the token rule. Throws Failure (VAA_ERROR_ARGUMENT). Cost: V, of an open draft V^2.
PlaceLaw place_law(std::string_view fault, const FullRows& rows, std::span<const int32_t> drafts, std::span<const double> draft_law, size_t at, double temperature);

}  // namespace vaa
