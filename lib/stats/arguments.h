// What a function of statistics takes, checked: a Failure (VAA_ERROR_ARGUMENT) that names function, parameter, value and what is allowed.
#pragma once
#include <cstdint>
#include <string_view>

namespace vaa::stats {

// Counts are whole numbers that a double holds exactly.
constexpr int64_t kMostCount = int64_t{1} << 53;

void check_count(std::string_view function, std::string_view name, int64_t value, int64_t least = 0, int64_t most = kMostCount);
// In [0, 1].
void check_share(std::string_view function, std::string_view name, double value);
// In (0, 1).
void check_open_share(std::string_view function, std::string_view name, double value);
// Finite and at least `least`.
void check_least(std::string_view function, std::string_view name, double value, double least);
// Finite and above 0.
void check_positive(std::string_view function, std::string_view name, double value);
// Of size at most `most`.
void check_size(std::string_view function, std::string_view name, double value, double most);
// Not NaN.
void check_number(std::string_view function, std::string_view name, double value);

}  // namespace vaa::stats
