// Where two sequences that parted agree again.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "tokens/common_ends.h"

namespace vaa {

class Reconvergence {
 public:
  // Of all (i, j), both at or after `from`, where a[i, i + window) equals b[j, j + window): the one with the smallest i + j, then the smallest i. Time and memory linear in how far it is.
  std::optional<std::pair<int64_t, int64_t>> find(Ids a, Ids b, size_t from, size_t window);

 private:
  std::optional<std::pair<int64_t, int64_t>> within(Ids a, Ids b, size_t window);
  std::vector<uint64_t> hashes_;
  std::vector<int32_t> places_;  // open addressing: the first place in a of each window; -1: none
};

}  // namespace vaa
