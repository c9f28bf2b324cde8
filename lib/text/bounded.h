// Names, ids and messages of hostile length, made short enough to show.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace vaa {

// At most `max` bytes, cut at a character border, with "…" where more was there.
std::string bounded(std::string_view text, size_t max);
constexpr size_t kMaxName = 200;      // in a report
constexpr size_t kMaxLineName = 4096;  // in the lines of single samples, which are joined by id

}  // namespace vaa
