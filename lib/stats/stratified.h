// Whether a property goes with a switch, held equal in all else: 2 x 2 tables, one a stratum.
#pragma once
#include <cstdint>
#include <span>

namespace vaa::stats {

// Switch on: a with the property, b without; off: c, d. Cells are not negative; their sum is at most 2^53.
struct TwoByTwo {
  int64_t a = 0, b = 0, c = 0, d = 0;
};
// The exact conditional test of no association in any stratum: the distribution of the sum of the a, given all margins. Two-sided: the sum over the totals that are not likelier than this one; of one
// table it is Fisher's. Where that sum has over 4,000 values, the chi-square of Mantel and Haenszel (1959) with its correction for continuity. Tables without both arms say nothing.
double stratified_exact(std::span<const TwoByTwo> tables);

}  // namespace vaa::stats
