// Quantiles of a list: of its own values, with straight lines between them.
#pragma once
#include <span>
#include <vector>

namespace vaa::stats {

// For each share s in [0, 1] the value at place s (n - 1) of the sorted list, counted from 0 (Hyndman and Fan's type 7, numpy's default). At least one value,
// all finite; what is not is a Failure (VAA_ERROR_ARGUMENT). Cost n log n.
std::vector<double> quantiles(std::span<const double> values, std::span<const double> shares);

}  // namespace vaa::stats
