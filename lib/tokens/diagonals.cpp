#include "tokens/diagonals.h"

namespace vaa {
namespace {

constexpr int32_t kNowhere = -2;

// Points of e edits stand from here, those of diagonal d at + d + e + 2: two cells of kNowhere on each side.
size_t block_of(int64_t e) { return static_cast<size_t>(e * (e + 4)); }
size_t block_size(int64_t e) { return static_cast<size_t>(2 * e + 5); }

enum class Step : uint8_t { kNone, kInsert, kDelete, kSubstitute };

// Where diagonal d goes on with one edit more than `last` (its own cell of one edit less), and by which edit. An edit past the end of one side leads nowhere.
template <bool kSubstitutes>
int64_t next_point(const int32_t* last, int64_t m, int64_t end, Step* step) {
  int64_t i = kNowhere;
  const auto offer = [&](int64_t candidate, int64_t bound, Step by) {
    if (candidate >= 0 && candidate <= bound && candidate > i) {
      i = candidate;
      *step = by;
    }
  };
  if (kSubstitutes && last[0] >= 0) offer(last[0] + int64_t{1}, std::min(m, end), Step::kSubstitute);
  if (last[1] >= 0) offer(last[1] + int64_t{1}, m, Step::kDelete);
  offer(last[-1], end, Step::kInsert);
  return i;
}

}  // namespace

template <bool kSubstitutes, bool kKeep>
DiagonalResult Diagonals::run(Ids a, Ids b, int64_t limit, int64_t leave_at) {
  constexpr int64_t kFirstLook = 32;  // edits before the progress is looked at
  const int64_t m = static_cast<int64_t>(a.size()), n = static_cast<int64_t>(b.size());
  for (int64_t e = 0;; ++e) {
    if (e > limit) return {-1, e};
    std::vector<int32_t>& points = kKeep ? history_ : rows_[e % 2];
    points.resize(kKeep ? block_of(e) + block_size(e) : block_size(e));
    int32_t* now = kKeep ? points.data() + block_of(e) : points.data();
    const int32_t* before = kKeep ? history_.data() + (e > 0 ? block_of(e - 1) : 0) : rows_[(e + 1) % 2].data();
    std::fill_n(now, block_size(e), kNowhere);
    int64_t furthest = 0;
    for (int64_t d = std::max(-e, -m); d <= std::min(e, n); ++d) {
      Step step = Step::kNone;
      int64_t i = e == 0 ? 0 : next_point<kSubstitutes>(before + d + e + 1, m, n - d, &step);
      if (i < 0 || i + d < 0) continue;
      i += static_cast<int64_t>(agreeing(a.data() + i, b.data() + i + d, static_cast<size_t>(std::min(m - i, n - i - d))));
      now[d + e + 2] = static_cast<int32_t>(i);
      furthest = std::max(furthest, 2 * i + d);
      if (i == m && d == n - m) return {e, e};
    }
    if (e >= kFirstLook && e % 16 == 0) {
      const int64_t predicted = static_cast<int64_t>(static_cast<double>(e) * static_cast<double>(m + n) / static_cast<double>(std::max<int64_t>(furthest, 1)));
      if (predicted > leave_at) return {-1, std::max(predicted, e + 1)};
    }
  }
}

bool Diagonals::trace(Ids a, Ids b, int64_t limit, int64_t from_a, int64_t from_b, std::vector<Match>* matches) {
  const int64_t m = static_cast<int64_t>(a.size()), n = static_cast<int64_t>(b.size());
  const DiagonalResult result = run<true, true>(a, b, limit, limit);
  if (result.distance < 0) return false;
  const size_t first = matches->size();
  int64_t d = n - m, end = m;
  for (int64_t e = result.distance; e >= 0; --e) {
    Step step = Step::kNone;
    const int64_t begin = e == 0 ? 0 : next_point<true>(history_.data() + block_of(e - 1) + d + e + 1, m, n - d, &step);
    if (end > begin) matches->push_back({from_a + begin, from_b + begin + d, end - begin});
    if (step == Step::kInsert) --d;
    if (step == Step::kDelete) ++d;
    if (e > 0) end = history_[block_of(e - 1) + static_cast<size_t>(d + e + 1)];
  }
  std::reverse(matches->begin() + static_cast<ptrdiff_t>(first), matches->end());
  return true;
}

template DiagonalResult Diagonals::run<true, false>(Ids, Ids, int64_t, int64_t);
template DiagonalResult Diagonals::run<false, false>(Ids, Ids, int64_t, int64_t);

}  // namespace vaa
