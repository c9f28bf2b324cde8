#include "tokens/edit_script.h"

namespace vaa {
namespace {

constexpr int64_t kTraced = 384;  // edits up to which a piece is traced on diagonals: 2 MB

}  // namespace

void EditScript::hunks(Ids a, Ids b, std::vector<Hunk>* out) {
  out->clear();
  matches_.clear();
  align(a, b, 0, 0);
  matches_.push_back({static_cast<int64_t>(a.size()), static_cast<int64_t>(b.size()), 0});
  int64_t i = 0, j = 0;
  for (const Match& match : matches_) {
    if (match.at_a > i || match.at_b > j) out->push_back({i, match.at_a - i, j, match.at_b - j});
    i = match.at_a + match.size;
    j = match.at_b + match.size;
  }
}

// Where a shortest script of a and b cuts a when it cuts b at `half`.
size_t EditScript::best_split(Ids a, Ids b, size_t half) {
  std::vector<int32_t> before, behind;
  strips_.levenshtein_column(a, b.first(half), &before);
  const std::vector<int32_t> back_a(a.rbegin(), a.rend()), back_b(b.rbegin(), b.rend() - static_cast<ptrdiff_t>(half));
  strips_.levenshtein_column(back_a, back_b, &behind);
  size_t best = 0;
  for (size_t i = 1; i <= a.size(); ++i) {
    if (before[i] + behind[a.size() - i] < before[best] + behind[a.size() - best]) best = i;
  }
  return best;
}

void EditScript::align(Ids a, Ids b, int64_t from_a, int64_t from_b) {
  const size_t prefix = common_prefix(a, b);
  if (prefix > 0) matches_.push_back({from_a, from_b, static_cast<int64_t>(prefix)});
  a = a.subspan(prefix);
  b = b.subspan(prefix);
  from_a += static_cast<int64_t>(prefix);
  from_b += static_cast<int64_t>(prefix);
  const size_t suffix = common_suffix(a, b);
  a = a.first(a.size() - suffix);
  b = b.first(b.size() - suffix);
  if (a.empty() || b.empty() || diagonals_.trace(a, b, kTraced, from_a, from_b, &matches_)) {
  } else if (b.size() == 1) {
    const auto at = std::find(a.begin(), a.end(), b[0]);
    if (at != a.end()) matches_.push_back({from_a + (at - a.begin()), from_b, 1});
  } else {
    const size_t half = b.size() / 2, split = best_split(a, b, half);
    align(a.first(split), b.first(half), from_a, from_b);
    align(a.subspan(split), b.subspan(half), from_a + static_cast<int64_t>(split), from_b + static_cast<int64_t>(half));
  }
  if (suffix > 0) matches_.push_back({from_a + static_cast<int64_t>(a.size()), from_b + static_cast<int64_t>(b.size()), static_cast<int64_t>(suffix)});
}

}  // namespace vaa
