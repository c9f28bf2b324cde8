// What a function of statistics takes, checked: a Failure (VAA_ERROR_ARGUMENT) that names function, parameter, value and what is allowed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace vaa::stats {

// Counts are whole numbers that a double holds exactly.
constexpr int64_t kMostCount = int64_t{1} << 53;
// Squares of what is smaller stay finite.
constexpr double kMostValue = 1e140;

void check_count(std::string_view function, std::string_view name, int64_t value, int64_t least = 0, int64_t most = kMostCount);
// In [0, 1].
void check_share(std::string_view function, std::string_view name, double value);
// In (0, 1).
void check_open_share(std::string_view function, std::string_view name, double value);
// Finite and at least `least`.
void check_least(std::string_view function, std::string_view name, double value, double least);
// Finite and above 0.
void check_positive(std::string_view function, std::string_view name, double value);
// Finite and below `limit`, or at most `most`.
void check_below(std::string_view function, std::string_view name, double value, double limit);
void check_most(std::string_view function, std::string_view name, double value, double most);
// Of size at most `most`.
void check_size(std::string_view function, std::string_view name, double value, double most);
// Finite, or -infinity for a probability of 0. `name` is the array's.
void check_logit(std::string_view function, std::string_view name, size_t i, double value);
// Finite and at most 0.
void check_logprob(std::string_view function, std::string_view name, size_t i, double value);
// Not NaN.
void check_number(std::string_view function, std::string_view name, double value);

// "name[i]"
std::string element(std::string_view name, size_t i);
// Each of size at most `most`.
void check_values(std::string_view function, std::string_view name, std::span<const double> values, double most = kMostValue);
// Each 0 or 1.
void check_flags(std::string_view function, std::string_view name, std::span<const uint8_t> flags);
// An array's size.
void check_same_size(std::string_view function, std::string_view name, size_t size, size_t expected);
void check_some(std::string_view function, std::string_view name, size_t size, size_t least = 1);

}  // namespace vaa::stats
