#include "tokens/bit_strips.h"

#include <bit>

#include "tokens/bit_lanes.h"

namespace vaa {
namespace {

using lanes::CommonWords;
using lanes::EditWords;
using lanes::Four;
using lanes::One;

// What one strip works on.
struct Sweep {
  const uint32_t* offsets;
  size_t columns;
  const uint64_t* table;
  uint8_t* boundary;
};

template <template <class> class Words, class Take>
void sweep_base(const Sweep& s, Take&& take) {
  Words<One> words[8];
  for (Words<One>& word : words) word.start();
  lanes::sweep<Words>(s.offsets, s.columns, s.table, s.boundary, words);
  for (size_t w = 0; w < 8; ++w) take(w, words[w]);
}
#if defined(__x86_64__)
template <template <class> class Words>
[[gnu::target("avx2")]] void sweep_avx2(const Sweep& s, Words<Four>* upper, Words<Four>* lower) {
  upper->start();
  lower->start();
  lanes::sweep<Words>(s.offsets, s.columns, s.table, s.boundary, upper, lower);
}
bool has_avx2(BitStrips::Isa isa) { return isa == BitStrips::Isa::kAvx2 || (isa == BitStrips::Isa::kBest && __builtin_cpu_supports("avx2")); }
#endif

// Bits of the rows [0, rows) of a strip.
uint64_t row_mask(size_t word, size_t rows) {
  const size_t first = 64 * word;
  if (rows <= first) return 0;
  return rows - first >= 64 ? ~uint64_t{0} : (uint64_t{1} << (rows - first)) - 1;
}

size_t slot_of(int32_t id, size_t mask) { return static_cast<size_t>((static_cast<uint32_t>(id) * uint64_t{0x9E3779B97F4A7C15}) >> 32) & mask; }

}  // namespace

void BitStrips::take_symbols(Ids a, Ids b) {
  rows_ = a.size();
  columns_ = b.size();
  const size_t slots = std::bit_ceil(2 * a.size() + 2), mask = slots - 1;
  keys_.resize(slots);
  values_.assign(slots, -1);
  a_.resize(a.size());
  b_.resize(b.size());
  int32_t known = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    size_t s = slot_of(a[i], mask);
    while (values_[s] >= 0 && keys_[s] != a[i]) s = (s + 1) & mask;
    if (values_[s] < 0) {
      keys_[s] = a[i];
      values_[s] = known++;
    }
    a_[i] = values_[s];
  }
  for (size_t j = 0; j < b.size(); ++j) {
    size_t s = slot_of(b[j], mask);
    while (values_[s] >= 0 && keys_[s] != b[j]) s = (s + 1) & mask;
    b_[j] = values_[s];
  }
  place_.assign(static_cast<size_t>(known) + 1, 0);  // [0]: symbols that a lacks
  offsets_.assign(columns_ + 2 * kPad, 0);
}

void BitStrips::load_strip(size_t first, size_t low, size_t high) {
  const size_t last = std::min(first + kRows, rows_);
  table_.assign(kWords, 0);
  for (size_t i = first; i < last; ++i) {
    uint16_t& place = place_[static_cast<size_t>(a_[i]) + 1];
    if (place == 0) {
      place = static_cast<uint16_t>(table_.size() / kWords);
      table_.resize(table_.size() + kWords, 0);
    }
    table_[place * kWords + (i - first) / 64] |= uint64_t{1} << ((i - first) % 64);
  }
  uint32_t* offsets = offsets_.data() + kPad;
  std::fill(offsets_.begin() + static_cast<ptrdiff_t>(low), offsets_.begin() + static_cast<ptrdiff_t>(low + kPad), 0);
  for (size_t j = low; j < high; ++j) offsets[j] = static_cast<uint32_t>(place_[static_cast<size_t>(b_[j] + 1)] * kWords);
  std::fill_n(offsets + high, kPad, 0);
  for (size_t i = first; i < last; ++i) place_[static_cast<size_t>(a_[i]) + 1] = 0;
}

void BitStrips::sweep_edit(size_t low, size_t high, std::array<uint64_t, kWords>* plus, std::array<uint64_t, kWords>* minus) {
  const Sweep sweep{offsets_.data() + kPad + low, high - low, table_.data(), boundary_.data() + low};
#if defined(__x86_64__)
  if (has_avx2(isa_)) {
    EditWords<Four> upper, lower;
    sweep_avx2(sweep, &upper, &lower);
    for (size_t w = 0; w < kWords; ++w) {
      (*plus)[w] = w < 4 ? upper.plus[w] : lower.plus[w - 4];
      (*minus)[w] = w < 4 ? upper.minus[w] : lower.minus[w - 4];
    }
    return;
  }
#endif
  sweep_base<EditWords>(sweep, [&](size_t w, const EditWords<One>& word) {
    (*plus)[w] = word.plus;
    (*minus)[w] = word.minus;
  });
}

void BitStrips::sweep_common(size_t high, std::array<uint64_t, kWords>* rows) {
  const Sweep sweep{offsets_.data() + kPad, high, table_.data(), boundary_.data()};
#if defined(__x86_64__)
  if (has_avx2(isa_)) {
    CommonWords<Four> upper, lower;
    sweep_avx2(sweep, &upper, &lower);
    for (size_t w = 0; w < kWords; ++w) (*rows)[w] = w < 4 ? upper.rows[w] : lower.rows[w - 4];
    return;
  }
#endif
  sweep_base<CommonWords>(sweep, [&](size_t w, const CommonWords<One>& word) { (*rows)[w] = word.rows; });
}

// Cells further than `limit` from the main diagonal hold more than `limit`; they are taken as one more than their neighbour, which is never too little (Ukkonen 1985).
int64_t BitStrips::levenshtein(Ids a, Ids b, int64_t limit) {
  const int64_t m = static_cast<int64_t>(a.size()), n = static_cast<int64_t>(b.size());
  limit = std::min(limit, std::max(m, n));
  predicted_ = std::abs(m - n);
  if (predicted_ > limit) return limit + 1;
  if (m == 0 || n == 0) return std::max(m, n);
  take_symbols(a, b);
  boundary_.assign(columns_, 1);
  std::array<uint64_t, kWords> plus, minus;
  const auto rise = [&](int64_t j) { return (boundary_[static_cast<size_t>(j)] & 1) - (boundary_[static_cast<size_t>(j)] >> 1); };
  int64_t corner = 0, low = 0;  // the value above the strip's first row, left of its first column
  for (int64_t first = 0;; first += static_cast<int64_t>(kRows)) {
    for (const int64_t next = std::max<int64_t>(0, first - limit); low < next; ++low) corner += rise(low);
    const int64_t high = std::min(n, first + static_cast<int64_t>(kRows) + limit);
    const bool last = first + static_cast<int64_t>(kRows) >= m;
    int64_t value = corner;
    if (last) {
      for (int64_t j = low; j < n; ++j) value += rise(j);  // high is n
    }
    load_strip(static_cast<size_t>(first), static_cast<size_t>(low), static_cast<size_t>(high));
    sweep_edit(static_cast<size_t>(low), static_cast<size_t>(high), &plus, &minus);
    if (last) {
      for (size_t w = 0; w < kWords; ++w) {
        const uint64_t mask = row_mask(w, static_cast<size_t>(m - first));
        value += std::popcount(plus[w] & mask) - std::popcount(minus[w] & mask);
      }
      predicted_ = value;
      return std::min(value, limit + 1);
    }
    corner += static_cast<int64_t>(kRows);
    int64_t least = corner;
    value = corner;
    for (int64_t j = low; j < high; ++j) least = std::min(least, value += rise(j));
    if (least > limit) {
      predicted_ = least * m / (first + static_cast<int64_t>(kRows));
      return limit + 1;
    }
  }
}

void BitStrips::levenshtein_column(Ids a, Ids b, std::vector<int32_t>* column) {
  column->resize(a.size() + 1);
  int32_t value = static_cast<int32_t>(b.size());
  (*column)[0] = value;
  if (b.empty()) {
    for (size_t i = 1; i <= a.size(); ++i) (*column)[i] = static_cast<int32_t>(i);
    return;
  }
  take_symbols(a, b);
  boundary_.assign(columns_, 1);
  std::array<uint64_t, kWords> plus, minus;
  for (size_t first = 0; first < rows_; first += kRows) {
    load_strip(first, 0, columns_);
    sweep_edit(0, columns_, &plus, &minus);
    for (size_t i = first; i < std::min(first + kRows, rows_); ++i) {
      const size_t w = (i - first) / 64, bit = (i - first) % 64;
      value += static_cast<int32_t>(plus[w] >> bit & 1) - static_cast<int32_t>(minus[w] >> bit & 1);
      (*column)[i + 1] = value;
    }
  }
}

int64_t BitStrips::common_subsequence(Ids a, Ids b) {
  if (a.empty() || b.empty()) return 0;
  take_symbols(a, b);
  boundary_.assign(columns_, 0);
  std::array<uint64_t, kWords> rows;
  int64_t length = 0;
  for (size_t first = 0; first < rows_; first += kRows) {
    load_strip(first, 0, columns_);
    sweep_common(columns_, &rows);
    for (size_t w = 0; w < kWords; ++w) length += std::popcount(~rows[w] & row_mask(w, rows_ - first));
  }
  return length;
}

}  // namespace vaa
