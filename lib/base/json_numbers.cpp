#include "base/json_numbers.h"

namespace vaa::json_numbers {

constexpr std::array<Five, kFives + 1> make_fives() {
  std::array<Five, kFives + 1> fives{};
  uint64_t power = 1;
  for (Five& five : fives) {
    five.power = power;
    five.shift = std::countl_zero(power);
    five.shifted = power << five.shift;
    five.reciprocal = static_cast<uint64_t>(~Wide{0} / five.shifted - (Wide{1} << 64));
    power *= 5;
  }
  return fives;
}
constexpr std::array<Five, kFives + 1> kFive = make_fives();

// Saturates far outside what a double holds.
const char* take_exponent(const char* p, const char* end, int64_t* exponent, const char** at) {
  bool negative = false;
  if (p < end && (*p == '+' || *p == '-')) negative = *p++ == '-';
  *at = p;
  if (p == end) return kTextEnds;
  if (!json_scan::is_digit(*p)) return "a number without a digit in its exponent";
  int64_t value = 0;
  for (; p < end && json_scan::is_digit(*p); ++p) {
    if (value < int64_t{1} << 48) value = value * 10 + (*p - '0');
  }
  *exponent += negative ? -value : value;
  *at = p;
  return nullptr;
}

}  // namespace vaa::json_numbers
