// Passes over rows of the vocabulary's size, as fast as memory: the same bits with every instruction set.
#pragma once
#include <cstddef>

#include "base/exp_row.h"
#include "reject/verifier/value_row.h"

namespace vaa {

// The sum in 16 fixed lanes, and the least of 0 and the numbers. A NaN makes the sum NaN, and the least then is not to be looked at.
struct RowSum {
  double sum, least;
};
RowSum sum_row(const float* row, size_t size, RowIsa isa = RowIsa::kBest);
RowSum sum_row(const double* row, size_t size, RowIsa isa = RowIsa::kBest);

// The first block of 16 ids, counted from `begin`, that may hold one with scale * p - q > bound * noise, or with noise that is no number of [0, infinity); where none does, the end of the whole
// blocks: what is left of the last one is for the caller.
struct RaceRows {
  ValueRow p;
  const float* q;  // null: 0
  double scale;
  const float* noise;
};
size_t next_in_race(const RaceRows& rows, double bound, size_t begin, size_t end, RowIsa isa = RowIsa::kBest);

}  // namespace vaa
