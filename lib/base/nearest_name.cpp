#include "base/nearest_name.h"

#include <algorithm>
#include <numeric>

namespace vaa {

namespace {

char folded(char c) { return c == '-' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Optimal string alignment distance; three rows of the table.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool same = folded(a[i - 1]) == folded(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + !same});
      if (i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) && folded(a[i - 2]) == folded(b[j - 1])) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view name, const std::vector<std::string_view>& known) {
  if (name.size() > 64) return {};
  std::string_view best;
  size_t best_distance = 0;
  for (const std::string_view candidate : known) {
    const size_t changes = distance(name, candidate);
    if (changes <= std::max<size_t>(1, candidate.size() / 3) && changes < candidate.size() && (best.empty() || changes < best_distance)) {
      best = candidate;
      best_distance = changes;
    }
  }
  return best;
}

}  // namespace vaa
