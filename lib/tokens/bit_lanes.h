// The steps of bit_strips.h on one word or on four at once. Everything is inlined into a function of the instruction set that it is compiled for.
#pragma once
#include <cstddef>
#include <cstdint>

namespace vaa::lanes {

#define VAA_INLINED [[gnu::always_inline]] inline

struct One {
  typedef uint64_t Type;
};
struct Four {
  typedef uint64_t Type __attribute__((vector_size(32)));
};

// Words of a column of Levenshtein distances as differences down the column: +1 where a bit of `plus` is set, -1 of `minus`.
template <class Lanes>
struct EditWords {
  using V = typename Lanes::Type;
  V plus, minus;
  VAA_INLINED void start() {
    plus = ~V{};
    minus = V{};
  }
  // One column for each lane. rise, fall: the differences along the row above each word (0 or 1), and then along its last row.
  VAA_INLINED void step(const V& equal, V* rise, V* fall) {
    const V xv = equal | minus;
    const V eq = equal | *fall;
    const V xh = (((eq & plus) + plus) ^ plus) | eq;
    const V up = minus | ~(xh | plus);
    const V down = plus & xh;
    const V up_in = (up << 1) | *rise, down_in = (down << 1) | *fall;
    *rise = up >> 63;
    *fall = down >> 63;
    plus = down_in | ~(xv | up_in);
    minus = up_in & xv;
  }
  VAA_INLINED void keep(const V& active, const EditWords& old) {
    plus = (plus & active) | (old.plus & ~active);
    minus = (minus & active) | (old.minus & ~active);
  }
};

// Words of a column of the longest common subsequence: a bit is clear where the value rises by one.
template <class Lanes>
struct CommonWords {
  using V = typename Lanes::Type;
  V rows;
  VAA_INLINED void start() { rows = ~V{}; }
  VAA_INLINED void step(const V& equal, V* carry, V*) {
    const V both = rows & equal;
    const V sum = rows + both + *carry;
    *carry = ((rows & both) | ((rows | both) & ~sum)) >> 63;
    rows = sum | (rows & ~equal);
  }
  VAA_INLINED void keep(const V& active, const CommonWords& old) { rows = (rows & active) | (old.rows & ~active); }
};

// Eight words over `columns` columns. offsets[c] is where the words of column c begin in `table`. boundary[c] is read as what comes from above (bit 0 rise or carry, bit 1 fall), and
// written as what goes below.
template <template <class> class Words>
VAA_INLINED void sweep(const uint32_t* offsets, size_t columns, const uint64_t* table, uint8_t* boundary, Words<One>* words) {
  for (size_t c = 0; c < columns; ++c) {
    uint64_t rise = boundary[c] & 1, fall = boundary[c] >> 1;
    const uint64_t* equal = table + offsets[c];
    for (size_t w = 0; w < 8; ++w) words[w].step(equal[w], &rise, &fall);
    boundary[c] = static_cast<uint8_t>(rise | (fall << 1));
  }
}

// {low, v[0], v[1], v[2]}: what a lane hands to the next.
VAA_INLINED void shift_in(Four::Type* v, uint64_t low) {
#if defined(__clang__)
  *v = __builtin_shufflevector(*v, (Four::Type){low, 0, 0, 0}, 4, 0, 1, 2);
#else
  *v = __builtin_shuffle(*v, (Four::Type){low, 0, 0, 0}, (Four::Type){4, 0, 1, 2});
#endif
}

// The same in two vectors, each lane a column behind the one above it. The offsets of the seven columns before the first and behind the last must lead to words that match nothing: such a
// column, with nothing from above, leaves a word that has not begun as it is.
template <template <class> class Words>
VAA_INLINED void sweep(const uint32_t* offsets, size_t columns, const uint64_t* table, uint8_t* boundary, Words<Four>* upper, Words<Four>* lower) {
  using V = Four::Type;
  Words<Four> up = *upper, low = *lower;
  V rise_up = {}, fall_up = {}, rise_low = {}, fall_low = {};
  const auto step = [&](size_t t) __attribute__((always_inline)) {
    const uint32_t* o = offsets + t;
    const V equal_up = {table[o[0]], table[o[-1] + 1], table[o[-2] + 2], table[o[-3] + 3]};
    const V equal_low = {table[o[-4] + 4], table[o[-5] + 5], table[o[-6] + 6], table[o[-7] + 7]};
    const uint64_t rise = rise_up[3], fall = fall_up[3];
    const uint8_t top = t < columns ? boundary[t] : 0;
    shift_in(&rise_up, top & 1);
    shift_in(&fall_up, top >> 1);
    shift_in(&rise_low, rise);
    shift_in(&fall_low, fall);
    up.step(equal_up, &rise_up, &fall_up);
    low.step(equal_low, &rise_low, &fall_low);
    if (t >= 7) boundary[t - 7] = static_cast<uint8_t>(rise_low[3] | (fall_low[3] << 1));
  };
  for (size_t t = 0; t < columns; ++t) step(t);
  // The first lane is done; each of the others has some columns left.
  for (size_t t = columns; t < columns + 7; ++t) {
    const Words<Four> old_up = up, old_low = low;
    step(t);
    const uint64_t done = t - columns + 1;
    const V lane_up = {0, 1, 2, 3}, lane_low = {4, 5, 6, 7};
    up.keep((V)(lane_up >= done), old_up);
    low.keep((V)(lane_low >= done), old_low);
  }
  *upper = up;
  *lower = low;
}

#undef VAA_INLINED

}  // namespace vaa::lanes
