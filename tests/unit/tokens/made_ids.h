// Token ids for tests: random ones, edited copies, and what the plain table of dynamic programming says of them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace vaa {

using IdList = std::vector<int32_t>;

inline IdList random_ids(std::mt19937* random, size_t size, uint32_t vocabulary) {
  IdList ids(size);
  for (int32_t& id : ids) id = static_cast<int32_t>((*random)() % vocabulary);
  return ids;
}

inline IdList edited(IdList ids, std::mt19937* random, size_t edits, uint32_t vocabulary) {
  for (size_t k = 0; k < edits && !ids.empty(); ++k) {
    const auto at = ids.begin() + static_cast<ptrdiff_t>((*random)() % ids.size());
    switch ((*random)() % 3) {
      case 0: *at = static_cast<int32_t>((*random)() % vocabulary); break;
      case 1: ids.erase(at); break;
      default: ids.insert(at, static_cast<int32_t>((*random)() % vocabulary));
    }
  }
  return ids;
}

struct TableDistances {
  int64_t levenshtein, lcs;
};
inline TableDistances by_table(const IdList& a, const IdList& b) {
  const size_t n = b.size();
  std::vector<int64_t> edits(n + 1), common(n + 1);
  for (size_t j = 0; j <= n; ++j) edits[j] = static_cast<int64_t>(j);
  for (size_t i = 0; i < a.size(); ++i) {
    int64_t edits_before = edits[0], common_before = 0;
    edits[0] = static_cast<int64_t>(i) + 1;
    for (size_t j = 0; j < n; ++j) {
      const int64_t edits_above = edits[j + 1], common_above = common[j + 1];
      edits[j + 1] = std::min({edits[j] + 1, edits_above + 1, edits_before + (a[i] != b[j])});
      common[j + 1] = a[i] == b[j] ? common_before + 1 : std::max(common_above, common[j]);
      edits_before = edits_above;
      common_before = common_above;
    }
  }
  return {edits[n], common[n]};
}

}  // namespace vaa
