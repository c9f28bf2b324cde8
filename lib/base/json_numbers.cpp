#include "base/json_numbers.h"

#include <array>
#include <bit>
#include <limits>

#include "base/big_decimal.h"
#include "base/json_scan.h"

namespace vaa::json_numbers {

namespace {

using json_scan::is_digit;

constexpr const char* kTextEnds = "the text ends inside a number";

// Digits from `p` on, folded into *value (modulo 2^64).
const char* take_digits(const char* p, const char* end, uint64_t* value) {
  static constexpr uint32_t kPower[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  while (end - p >= 8) {
    const uint64_t word = json_scan::load_word(p);
    const int n = json_scan::digit_prefix(word);
    if (n == 0) return p;
    *value = *value * kPower[n] + json_scan::digits_value(word, n);
    p += n;
    if (n < 8) return p;
  }
  for (; p < end && is_digit(*p); ++p) *value = *value * 10 + static_cast<uint64_t>(*p - '0');
  return p;
}

// The exponent behind 'e'. Saturates far outside what a double holds.
const char* take_exponent(const char* p, const char* end, int64_t* exponent, const char** at) {
  bool negative = false;
  if (p < end && (*p == '+' || *p == '-')) negative = *p++ == '-';
  *at = p;
  if (p == end) return kTextEnds;
  if (!is_digit(*p)) return "a number without a digit in its exponent";
  int64_t value = 0;
  for (; p < end && is_digit(*p); ++p) {
    if (value < int64_t{1} << 48) value = value * 10 + (*p - '0');
  }
  *exponent += negative ? -value : value;
  *at = p;
  return nullptr;
}

// Digits of [p, end) from the first that is not 0, without the point.
ptrdiff_t significant_digits(const char* p, const char* end) {
  while (p < end && (*p == '0' || *p == '.')) ++p;
  ptrdiff_t count = 0;
  for (; p < end && count < 20; ++p) count += *p != '.';
  return count;
}

constexpr std::array<double, 23> kTens = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

constexpr int kFives = 27;  // 5^27 is the last below 2^64
constexpr std::array<uint64_t, kFives + 1> kFive = [] {
  std::array<uint64_t, kFives + 1> powers{};
  powers[0] = 1;
  for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 5;
  return powers;
}();

__extension__ typedef unsigned __int128 Wide;

// digits * 10^exponent for 0 < digits and |exponent| <= 27, exactly: the product with 5^exponent has at most 128 bits; of the quotient by 5^-exponent 63 bits and
// whether anything is left decide the rounding.
double round_exactly(uint64_t digits, int exponent, bool negative) {
  const int shift = std::countl_zero(digits);
  const uint64_t top = digits << shift;
  if (exponent >= 0) {
    const Wide product = static_cast<Wide>(top) * kFive[static_cast<size_t>(exponent)];
    const auto high = static_cast<uint64_t>(product >> 64), low = static_cast<uint64_t>(product);
    if (high == 0) return make_double(low, false, exponent - shift, negative);
    const int spare = std::countl_zero(high);
    const Wide aligned = product << spare;
    return make_double(static_cast<uint64_t>(aligned >> 64), static_cast<uint64_t>(aligned) != 0, exponent - shift - spare + 64, negative);
  }
  const uint64_t five = kFive[static_cast<size_t>(-exponent)];
  const int five_shift = std::countl_zero(five);
  const uint64_t divisor = five << five_shift;
  // top / divisor lies between 1/2 and 2: half of it, as 64 bits behind the point, has its first one at bit 63 or 62.
  const Wide dividend = static_cast<Wide>(top) << 63;
  const auto quotient = static_cast<uint64_t>(dividend / divisor);
  const bool rest = quotient * divisor != static_cast<uint64_t>(dividend);
  const int spare = std::countl_zero(quotient);
  return make_double(quotient << spare, rest, exponent - shift + five_shift - 63 - spare, negative);
}

}  // namespace

const char* scan(const char* p, const char* end, Scanned* out, const char** at) {
  out->begin = p;
  if (*p == '-') {
    out->negative = true;
    if (++p == end) return *at = p, kTextEnds;
  }
  if (!is_digit(*p)) return *at = p, "a number without a digit";
  const char* first = p;
  p = take_digits(p, end, &out->digits);
  if (*first == '0' && p - first > 1) return *at = first, "a number with a leading zero";
  ptrdiff_t count = p - first;
  if (p < end && *p == '.') {
    const char* point = p++;
    p = take_digits(p, end, &out->digits);
    const ptrdiff_t places = p - point - 1;
    if (places == 0) return *at = p, p == end ? kTextEnds : "a number without a digit behind its point";
    out->exponent = -places;
    out->integer = false;
    count += places;
  }
  if (count > 19) out->fits = significant_digits(first, p) <= 19;
  if (p < end && (*p == 'e' || *p == 'E')) {
    out->integer = false;
    if (const char* error = take_exponent(p + 1, end, &out->exponent, at)) return error;
    p = *at;
  }
  out->end = p;
  return nullptr;
}

double to_double(const Scanned& number) {
  if (number.fits) {
    if (number.digits == 0) return number.negative ? -0.0 : 0.0;
    // Both are doubles exactly, so that one operation rounds once (Clinger 1990).
    if (number.digits <= uint64_t{1} << 53 && number.exponent >= -22 && number.exponent <= 22) {
      const auto digits = static_cast<double>(number.digits);
      const double value = number.exponent < 0 ? digits / kTens[static_cast<size_t>(-number.exponent)] : digits * kTens[static_cast<size_t>(number.exponent)];
      return number.negative ? -value : value;
    }
    if (number.exponent >= -kFives && number.exponent <= kFives) return round_exactly(number.digits, static_cast<int>(number.exponent), number.negative);
  }
  return big_decimal({number.begin, static_cast<size_t>(number.end - number.begin)});
}

bool to_int64(const Scanned& number, int64_t* out) {
  constexpr uint64_t kLimit = uint64_t{1} << 63;
  if (!number.integer || !number.fits || number.digits > kLimit - (number.negative ? 0 : 1)) return false;
  *out = static_cast<int64_t>(number.negative ? 0 - number.digits : number.digits);
  return true;
}

}  // namespace vaa::json_numbers
