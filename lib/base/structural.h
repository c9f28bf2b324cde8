// Numbers at which an engine changes what it does: ends of RoPE tables and windows, blocks, chunks. One that lies where two servers part is worth a look before any other.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vaa {

struct StructuralNumber {
  std::string name;           // "sliding_window", "rope factor 40 x original_max_position_embeddings"
  int64_t number = 0;
};
// Those of a model's config.json, also of its text_config. Throws Failure (VAA_ERROR_FORMAT).
std::vector<StructuralNumber> structural_numbers(std::string_view config_json);
// "name=number", also "name=4K". Throws Failure (VAA_ERROR_OPTION).
StructuralNumber named_number(std::string_view text);

// A number inside (lo, hi]. A fault of input position n shows first in the token after it, so n + 1 in the interval counts too (`offset` 1).
struct StructuralHit {
  std::string name;
  int64_t number = 0;
  int64_t offset = 0;
  double by_chance = 0;       // share of intervals of this width that hold a number of this kind; NaN for single numbers
};
// Nearest to hi first; then the multiple of the largest block of 16 to 2,048 ids that lies in it by a chance of at most a quarter.
std::vector<StructuralHit> structural_hits(int64_t lo, int64_t hi, std::span<const StructuralNumber> numbers);

}  // namespace vaa
