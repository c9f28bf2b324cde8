// p values of one family adjusted for their number: reject where the adjusted value is at most the level. A p outside [0, 1] is a Failure
// (VAA_ERROR_ARGUMENT). Results stand in the order of the input; cost n log n.
#pragma once
#include <span>
#include <vector>

namespace vaa::stats {

// Bounds the share of false discoveries (Benjamini and Hochberg 1995): for lists to look at.
std::vector<double> benjamini_hochberg(std::span<const double> p);
// Bounds the chance of any false rejection (Holm 1979): for gates.
std::vector<double> holm(std::span<const double> p);

}  // namespace vaa::stats
