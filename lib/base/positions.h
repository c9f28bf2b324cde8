// Absolute positions as people write them: "1K,4K-64,4K+64,131072", where K is 1,024.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/figures.h"

namespace vaa {

// One: "4096", "4K", "4K-64", "4K+64"; 1 to 2^31 - 1. Throws Failure (VAA_ERROR_OPTION) that names the piece and the form; `what` begins the message.
int64_t parse_position(std::string_view piece, std::string_view what);
// All pieces of all texts, divided by commas: rising, each once.
std::vector<int64_t> parse_positions(std::span<const std::string> texts, std::string_view what);
// "4K" where it is a whole number of K below 1,024 K, else "4,095".
std::string short_position(int64_t number);

}  // namespace vaa
