// The order in which a sample is drawn: a hash of the question, so that one seed draws the same questions out of any run of them, whatever their order.
#pragma once
#include <string>

#include "base/text_hash.h"

namespace vaa::capture {

inline uint64_t draw_order(uint64_t seed, const std::string& dataset, const std::string& id, int64_t repeat) {
  return hash_bytes(mixed(seed + 1), dataset + '\0' + id + '\0' + std::to_string(repeat));
}

}  // namespace vaa::capture
